package org.apache.spark.sql.netfold

import java.util.concurrent.ConcurrentHashMap

import scala.collection.mutable
import scala.util.control.NonFatal

import org.apache.spark.SparkContext
import org.apache.spark.internal.Logging
import org.apache.spark.rdd.{DeterministicLevel, RDD}
import org.apache.spark.scheduler.{JobSucceeded, SparkListener, SparkListenerApplicationEnd, SparkListenerEvent, SparkListenerJobEnd, SparkListenerJobStart, SparkListenerStageCompleted, SparkListenerStageSubmitted}
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{Ascending, NullsFirst}
import org.apache.spark.sql.execution.SQLExecution
import org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionEnd

/** The switch of an application, in the process of Spark's driver or one that runs elsewhere, and
  * the queries at it.
  *
  * A query whose execution has ended stays, as its rows may be read once more; the oldest makes
  * room for others. */
final class DriverSwitch private (context: SparkContext) extends SparkListener with Logging {
  private var number = 0L

  /** Queries of executions that go on. */
  private val running = mutable.Map.empty[String, List[Int]]

  /** Joins of executions that go on. */
  private val joins = mutable.Map.empty[String, List[JoinQuery]]

  /** Executions of the jobs that run. */
  private val executions = mutable.Map.empty[Int, String]

  /** Takes in the query of a node with these rows, or returns the reason why not. */
  def admit(
      node: SwitchExchangeExec,
      rows: RDD[InternalRow],
      settings: Settings): Either[String, Query] = synchronized {
    node.program match {
      case FillBloom(join) if !join.fillWith(rows) => Left("another exchange fills the filter")
      case FillBloom(join) =>
        val taken = admitNode(node, rows, settings)
        if (taken.isLeft) join.end()
        taken
      case _ => admitNode(node, rows, settings)
    }
  }

  private def admitNode(
      node: SwitchExchangeExec,
      rows: RDD[InternalRow],
      settings: Settings): Either[String, Query] =
    if (rows.outputDeterministicLevel == DeterministicLevel.INDETERMINATE) {
      Left("a task that is run again has other rows")
    } else {
      try Right(queryOf(node, rows.getNumPartitions, settings))
      catch {
        case error @ (NonFatal(_) | _: LinkageError) => Left(error.toString)
      }
    }

  private def queryOf(node: SwitchExchangeExec, partitions: Int, settings: Settings): Query = {
    start(settings)
    val value = node.order.headOption
    val types = node.keys.map(_.dataType)
    val column = value.map(order => Column.of(order.dataType).get)
    val exact = node.program == Extreme && column.forall(_.exact)
    val (program, role) = node.program match {
      case TopN(rows) => (Array[Long](0, rows, column.get.kind, 0), Role.Pruned)
      case Distinct => (Array[Long](1, settings.rows, settings.width, 0), Role.Pruned)
      case Extreme =>
        (Array[Long](2, settings.rows, settings.width, if (exact) 1 else 0), Role.Pruned)
      case FillBloom(_) => (Array[Long](3, settings.filter, 0, 0), Role.Fills)
      case ProbeBloom(_) => (Array[Long](3, settings.filter, 0, 0), Role.Pruned)
      case sum: Sums =>
        (Array[Long](4, settings.sumRows, settings.sumWidth, sum.columns), Role.Added)
    }
    val (index, first, most) = node.program match {
      case FillBloom(join) =>
        val index = admit(join, program)
        Native.library.fills(number, index, partitions)
        (index, 0, Native.library.firstProbe())
      case ProbeBloom(join) =>
        (admit(join, program), Native.library.firstProbe(), Native.library.firstProbe())
      case _ => (admit(program, partitions), 0, partitions)
    }
    Query(
      Place(Native.library.place(number, index)),
      index,
      settings.timeoutMs,
      settings.batch,
      if (node.program.isInstanceOf[TopN]) None else Some(types),
      node.values.map(_.dataType),
      value.exists(_.direction != Ascending),
      value.exists(_.nullOrdering == NullsFirst),
      exact,
      node.program match {
        case Sums(_, empty) => empty.length
        case _ => 0
      },
      role,
      first,
      most)
  }

  private def admit(join: JoinQuery, program: Array[Long]): Int =
    join.admitted.getOrElse {
      val admitted = admit(program, 1)
      join.admitted = Some(admitted)
      for (execution <- executionId) {
        joins(execution) = join :: joins.getOrElse(execution, Nil)
      }
      admitted
    }

  /** Takes a query in. */
  private def admit(program: Array[Long], partitions: Int): Int = {
    val index = Native.library.admit(number, program, partitions)
    executionId match {
      case Some(execution) => running(execution) = index :: running.getOrElse(execution, Nil)
      case None => Native.library.retire(number, index)
    }
    index
  }

  /** Waits for the totals of a sum for so long, and returns their number of longs, or -1. */
  def awaitTotals(query: Query, withinMs: Long): Int =
    Native.library.awaitTotals(number, query.index, withinMs)

  /** The totals of a sum, which are there, as so many longs. */
  def totals(query: Query, attempts: Array[Long], longs: Int): Array[Long] = {
    val totals = new Array[Long](longs)
    Native.library.takeTotals(number, query.index, attempts, totals)
    totals
  }

  /** Ends a query whose rows nobody reads again. */
  def end(query: Query): Unit = synchronized {
    running.mapValuesInPlace((_, indices) => indices.filter(_ != query.index))
    Native.library.release(number, query.index)
  }

  private def executionId: Option[String] =
    Option(context.getLocalProperty(SQLExecution.EXECUTION_ID_KEY))

  private def start(settings: Settings): Unit = if (number == 0) {
    val conf = context.getConf
    val host = if (context.isLocal) "127.0.0.1" else conf.get("spark.driver.host")
    val bind = if (context.isLocal) host else conf.get("spark.driver.bindAddress", host)
    val (memory, timeout) = (settings.memoryBytes, settings.timeoutMs)
    number = settings.switch match {
      case Some(elsewhere) => Native.library.at(elsewhere, settings.token, memory, timeout)
      case None => Native.library.start(s"$bind:${settings.port}", host, memory, timeout)
    }
    val address = Native.library.address(number)
    logInfo(s"netfold: the switch of this application is at $address")
  }

  override def onOtherEvent(event: SparkListenerEvent): Unit = event match {
    case end: SparkListenerSQLExecutionEnd => synchronized {
      val execution = end.executionId.toString
      running.remove(execution).getOrElse(Nil).foreach(Native.library.retire(number, _))
      joins.remove(execution).getOrElse(Nil).foreach(_.end())
    }
    case _ =>
  }

  override def onJobStart(event: SparkListenerJobStart): Unit = synchronized {
    for {
      properties <- Option(event.properties)
      execution <- Option(properties.getProperty(SQLExecution.EXECUTION_ID_KEY))
    } executions(event.jobId) = execution
  }

  /** A job that fails, or is cancelled, ends its query, which hears of that only when none of its
    * joins waits. */
  override def onJobEnd(event: SparkListenerJobEnd): Unit = synchronized {
    for (execution <- executions.remove(event.jobId) if event.jobResult != JobSucceeded) {
      joins.getOrElse(execution, Nil).foreach(_.end())
    }
  }

  override def onStageSubmitted(event: SparkListenerStageSubmitted): Unit = synchronized {
    val rows = event.stageInfo.rddInfos.map(_.id)
    joins.values.flatten.foreach(_.begun(rows))
  }

  override def onStageCompleted(event: SparkListenerStageCompleted): Unit = synchronized {
    val rows = event.stageInfo.rddInfos.map(_.id)
    joins.values.flatten.foreach(_.ended(rows))
  }

  /** Waits until the filter of a join is filled: until its stage is over, or the filter is sealed,
    * whichever is heard of first. Fails if the job that fills it has. */
  def await(join: JoinQuery, settings: Settings): Unit = {
    join.begin(context)
    val index = synchronized(join.admitted)
    if (join.awaitBegin(context, settings.joinWaitMs)) {
      def isSealed(withinMs: Long) = index.forall(Native.library.awaitSealed(number, _, withinMs))
      var sealed_ = false
      while (!sealed_ && !join.isOver) sealed_ = isSealed(DriverSwitch.LookMs)
      if (!sealed_) isSealed(DriverSwitch.SealMs)
    }
    join.rethrow()
  }

  override def onApplicationEnd(end: SparkListenerApplicationEnd): Unit = synchronized {
    DriverSwitch.all.remove(context)
    joins.values.flatten.foreach(_.end())
    if (number != 0) Native.library.stop(number)
    number = 0
  }
}

object DriverSwitch {
  /** Time that a filter takes to be sealed when its last row is there. */
  private val SealMs = 1000L

  /** Time after which it is looked whether the stage is over that fills a filter. */
  private val LookMs = 100L

  private val all = new ConcurrentHashMap[SparkContext, DriverSwitch]

  /** The switch of an application. It starts with the first query, and hears of jobs from now on.
    */
  def of(context: SparkContext): DriverSwitch = all.computeIfAbsent(context, _ => {
    val switch = new DriverSwitch(context)
    context.addSparkListener(switch)
    switch
  })
}
