package org.apache.spark.sql.netfold

import java.util.concurrent.TimeUnit
import java.util.concurrent.atomic.AtomicLong

import scala.concurrent.ExecutionContext

import org.apache.spark.SparkContext
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.execution.{SparkPlan, SQLExecution}
import org.apache.spark.sql.execution.adaptive.{AdaptiveSparkPlanExec, QueryStageExec}
import org.apache.spark.sql.execution.columnar.InMemoryTableScanExec
import org.apache.spark.sql.execution.exchange.ShuffleExchangeLike

/** The two sides of a join, which share a filter. It belongs to Spark's driver.
  *
  * The side that is pruned waits until the other has filled the filter. Only the number of dropped
  * rows depends on the wait: the switch drops none before the filter is full (R-QRY-13). */
final class JoinQuery extends Serializable {
  val number: Long = JoinQuery.last.incrementAndGet()

  /** The index at the switch, once one side is executed. */
  private[netfold] var admitted: Option[Int] = None

  /** The rows that fill the filter, once they are known; others do not. */
  private var filler: Option[Int] = None
  private var hasBegun = false
  private var over = false

  /** The end of the job of [[begin]], if it has failed. */
  @transient private var failure: Option[Throwable] = None

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

  /** Waits until the stage begins that fills the filter, as long as the plan of the execution has
    * it, and no longer than so many milliseconds; returns whether it has begun. */
  def awaitBegin(context: SparkContext, withinMs: Long): Boolean = {
    val until = System.nanoTime + TimeUnit.MILLISECONDS.toNanos(withinMs)
    def isDecided = synchronized(hasBegun || over)
    while (!isDecided && System.nanoTime < until && exchange(context).isDefined) {
      synchronized(if (!isDecided) wait(JoinQuery.LookMs))
    }
    synchronized(hasBegun)
  }

  /** Without adaptive execution stages begin when the whole query does: has the exchange run now
    * that fills the filter. */
  def begin(context: SparkContext): Unit =
    exchange(context).collect { case (exchange, false) =>
      exchange.submitShuffleJob().onComplete { done =>
        synchronized { failure = done.failed.toOption }
        end()
      }(ExecutionContext.parasitic)
    }

  /** Fails if the job of [[begin]] has: the query would run it again, also when it was cancelled. */
  def rethrow(): Unit = synchronized(failure).foreach(throw _)

  /** The exchange whose rows fill the filter, if the plan of the execution has it as it stands now,
    * and whether adaptive execution decides when it runs. */
  private def exchange(context: SparkContext): Option[(ShuffleExchangeLike, Boolean)] = {
    def find(plan: SparkPlan, adaptive: Boolean): Option[(ShuffleExchangeLike, Boolean)] =
      plan match {
        case exchange: ShuffleExchangeLike if fills(exchange.child) => Some((exchange, adaptive))
        case adaptivePlan: AdaptiveSparkPlanExec => find(adaptivePlan.executedPlan, true)
        case stage: QueryStageExec => find(stage.plan, adaptive)
        case cached: InMemoryTableScanExec => find(cached.relation.cachedPlan, false)
        case _ =>
          (plan.children.iterator ++ plan.subqueries).flatMap(find(_, adaptive)).nextOption()
      }
    for {
      execution <- Option(context.getLocalProperty(SQLExecution.EXECUTION_ID_KEY))
      query <- Option(SQLExecution.getQueryExecution(execution.toLong))
      found <- find(query.executedPlan, false)
    } yield found
  }

  private def fills(plan: SparkPlan): Boolean = plan match {
    case SwitchExchangeExec(FillBloom(join), _, _, _) => join.eq(this)
    case _ => false
  }
}

object JoinQuery {
  /** Time after which the plan of an execution is looked at again. */
  private val LookMs = 100L

  private val last = new AtomicLong
}
