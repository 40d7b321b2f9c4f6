package org.apache.spark.sql.netfold

import java.util.concurrent.TimeUnit
import java.util.concurrent.atomic.AtomicLong

import scala.concurrent.ExecutionContext

import org.apache.spark.SparkContext
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.execution.{SparkPlan, SQLExecution}
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanExec
import org.apache.spark.sql.execution.exchange.ShuffleExchangeExec

/** The two sides of a join, which share a filter. It belongs to Spark's driver.
  *
  * The side that is pruned waits until the other has filled the filter, if that begins soon. It is
  * but the number of dropped rows that depends on it: the switch drops none before the filter is
  * full (R-QRY-13). */
final class JoinQuery extends Serializable {
  val number: Long = JoinQuery.last.incrementAndGet()

  /** The index at the switch, once one side is executed. */
  private[netfold] var admitted: Option[Int] = None

  /** The rows that fill the filter, once they are known; others do not. */
  private var filler: Option[Int] = None
  private var hasBegun = false
  private var over = false

  /** The side that fills the filter has ended, or will not run. */
  def isOver: Boolean = synchronized(over)

  /** Has these rows fill the filter; returns whether they do. */
  def fillWith(rows: RDD[_]): Boolean = synchronized {
    val isFirst = filler.isEmpty
    if (isFirst) filler = Some(rows.id)
    isFirst
  }

  /** Takes note of a stage with these rows that has begun. */
  def begun(rows: Seq[Int]): Unit = synchronized {
    hasBegun ||= filler.exists(rows.contains(_))
    notifyAll()
  }

  /** Takes note of a stage with these rows that has ended. */
  def ended(rows: Seq[Int]): Unit = synchronized(if (filler.exists(rows.contains(_))) end())

  /** Ends the wait for the filter. */
  def end(): Unit = synchronized {
    over = true
    notifyAll()
  }

  /** Waits until the stage begins that fills the filter; returns whether it did in this time. */
  def awaitBegin(withinMs: Long): Boolean = synchronized {
    val until = System.nanoTime + TimeUnit.MILLISECONDS.toNanos(withinMs)
    // A wait of 0 would have no end.
    def left: Long = TimeUnit.NANOSECONDS.toMillis(until - System.nanoTime)
    while (!hasBegun && !over && left > 0) wait(left)
    hasBegun
  }

  /** Without adaptive execution stages begin when the whole query does: has the exchange run now
    * that fills the filter, if the plan of the execution has it. */
  def begin(context: SparkContext): Unit = {
    val execution = Option(context.getLocalProperty(SQLExecution.EXECUTION_ID_KEY))
    val plan = execution.map(id => SQLExecution.getQueryExecution(id.toLong)).filter(_ != null)
    plan.map(_.executedPlan).filter(!_.isInstanceOf[AdaptiveSparkPlanExec]).foreach { plan =>
      plan
        .collectWithSubqueries {
          case exchange: ShuffleExchangeExec if fills(exchange.child) => exchange
        }
        .headOption
        .foreach(_.submitShuffleJob().onComplete(_ => end())(ExecutionContext.parasitic))
    }
  }

  private def fills(plan: SparkPlan): Boolean = plan match {
    case SwitchExchangeExec(FillBloom(join), _, _, _) => join.eq(this)
    case _ => false
  }
}

object JoinQuery {
  private val last = new AtomicLong
}
