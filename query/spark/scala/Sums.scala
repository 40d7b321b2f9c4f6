package org.apache.spark.sql.netfold

import scala.collection.mutable.ArrayBuffer
import scala.concurrent.{Await, TimeoutException}
import scala.concurrent.duration._

import org.apache.spark.{FutureAction, SparkContext, TaskContext}
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{Attribute, Expression, GenericInternalRow, UnsafeProjection, UnsafeRow}
import org.apache.spark.sql.execution.SQLExecution
import org.apache.spark.sql.execution.metric.SQLMetrics
import org.apache.spark.sql.types._

/** The result of a task of a sum.
  *
  * @param attempt
  *   the number that Spark gave the task
  * @param past
  *   rows that were not added
  */
case class Streamed(attempt: Long, past: Array[Array[Byte]])

/** The job that has the partial sums of all tasks added, in the switch and by the master in Spark's
  * driver (R-QRY-38). It runs before the rows of the node are known. */
final class SumJob(
    node: SwitchExchangeExec,
    sums: Sums,
    rows: RDD[InternalRow],
    query: Query,
    counts: Counts) {
  private val context = rows.sparkContext
  private val output = node.child.output

  /** Returns a row for each group, and those that were not added; all rows, if the switch cannot. */
  def run(): RDD[InternalRow] =
    try {
      val streamed = stream()
      val groups = new Groups(node.keys.map(_.dataType), sums, output)
      val all = groups.rows(totals(streamed.map(_.attempt))) ++ streamed.iterator.flatMap(_.past)
      counts.forwarded.add(all.length)
      for (execution <- Option(context.getLocalProperty(SQLExecution.EXECUTION_ID_KEY))) {
        SQLMetrics.postDriverMetricUpdates(context, execution, Seq(counts.forwarded))
      }
      SumJob.rows(context, all, output.length)
    } catch {
      case GivenUp(reason) =>
        Notes.say(node.simpleString(100), reason)
        rows
    } finally DriverSwitch.of(context).end(query)

  /** Has the rows of all partitions added. */
  private def stream(): Array[Streamed] = {
    val streamed = new Array[Streamed](rows.getNumPartitions)
    @volatile var reason = Option.empty[String]
    val take = (partition: Int, one: Either[String, Streamed]) =>
      one.fold(why => reason = Some(why), streamed(partition) = _)
    def look(): Unit = {
      for (why <- reason) throw GivenUp(why)
      totalLongs(0)
    }
    val expressions = node.keys ++ sums.values ++ sums.empty
    val most = math.max(SumJob.LeastPastBytes, SumJob.PastBytes / streamed.length)
    val work = SumJob.task(query, expressions, output, most, counts)
    SumJob.await(context.submitJob(rows, work, rows.partitions.indices, take, ()), () => look())
    look()
    streamed
  }

  /** Waits for the totals for so long, and returns their number of longs, or -1. */
  private def totalLongs(withinMs: Long): Int =
    SumJob.orGiveUp(DriverSwitch.of(context).awaitTotals(query, withinMs))

  /** The totals of the partitions, which have to be of these attempts. */
  private def totals(attempts: Array[Long]): Array[Long] = {
    var longs = -1
    while (longs < 0) {
      if (Thread.interrupted()) throw new InterruptedException
      longs = totalLongs(SumJob.LookMs)
    }
    SumJob.orGiveUp(DriverSwitch.of(context).totals(query, attempts, longs))
  }
}

/** The reason why the switch cannot do a sum. */
private final case class GivenUp(reason: String) extends Exception(reason)

object SumJob {
  /** Time between two looks at a job. */
  private val LookMs = 100L

  /** Most bytes of rows that go past the switch to Spark's driver, and those that any task may have
    * of them. */
  private val PastBytes = 16L << 20
  private val LeastPastBytes = 64L << 10

  /** Bytes of a partition of groups, which travel with its task. */
  private val SliceBytes = 512L << 10

  private def orGiveUp[T](call: => T): T =
    try call
    catch {
      case error @ (_: RuntimeException | _: LinkageError) => throw GivenUp(error.getMessage)
    }

  /** Waits for a job, which is cancelled if `look` throws, or the wait is interrupted. */
  private def await(action: FutureAction[Unit], look: () => Unit): Unit = {
    def isOver: Boolean =
      try {
        Await.ready(action, LookMs.millis)
        true
      } catch { case _: TimeoutException => false }
    try while (!isOver) look()
    catch {
      case error: Throwable =>
        action.cancel()
        throw error
    }
    action.value.get.get
  }

  /** The work of a task: its result, or the reason why there is none. */
  private def task(
      query: Query,
      expressions: Seq[Expression],
      input: Seq[Attribute],
      mostPastBytes: Long,
      counts: Counts): Iterator[InternalRow] => Either[String, Streamed] = { rows =>
    val context = TaskContext.get()
    val words = new Words(query, UnsafeProjection.create(expressions, input))
    val unsafe = UnsafeProjection.create(input, input)
    val attempt = new Attempt(query, context.partitionId(), context)
    val past = ArrayBuffer.empty[Array[Byte]]
    var pastBytes = 0L
    def send(): Unit = {
      counts.offered.add(words.rows)
      attempt.send(words)
      words.clear()
    }
    while (attempt.isOpen && pastBytes <= mostPastBytes && rows.hasNext) {
      val row = rows.next()
      words.add(row)
      if (!words.keepAddend()) {
        past += unsafe(row).copy().getBytes
        pastBytes += past.last.length
      }
      if (words.isFull) send()
    }
    if (pastBytes > mostPastBytes) Left("too many rows have no key of 64 bits, or NULL")
    else {
      if (attempt.isOpen) send()
      if (attempt.isOpen) attempt.finish()
      Either.cond(
        attempt.isOpen,
        Streamed(context.taskAttemptId(), past.toArray),
        "the switch was silent")
    }
  }

  /** Rows of so many columns, of their bytes. */
  private def rows(
      context: SparkContext,
      all: ArrayBuffer[Array[Byte]],
      columns: Int): RDD[InternalRow] = {
    val slices = all.iterator.map(_.length.toLong).sum / SliceBytes + 1
    context.parallelize(all.toSeq, slices.toInt).map { bytes =>
      val row = new UnsafeRow(columns)
      row.pointTo(bytes, bytes.length)
      row
    }
  }
}

/** Makes rows of groups: keys and sums in the columns of the partial stage. */
final class Groups(keys: Seq[DataType], sums: Sums, output: Seq[Attribute]) {
  private val reader = new Keys(keys)
  private val projection = UnsafeProjection.create(output.map(_.dataType).toArray)
  private val row = new GenericInternalRow(output.length)
  private val places = sums.values.map(place).toArray
  private val types = sums.values.map(_.dataType).toArray

  for (one <- sums.empty) row.update(place(one), false)

  private def place(attribute: Attribute): Int = output.indexWhere(_.exprId == attribute.exprId)

  /** The rows of all groups; more than one of a group with a sum that its type does not hold. */
  def rows(longs: Array[Long]): ArrayBuffer[Array[Byte]] = {
    val all = ArrayBuffer.empty[Array[Byte]]
    val integers = new Array[BigInt](types.length)
    var next = 0
    def take(): Long = {
      next += 1
      longs(next - 1)
    }
    while (next < longs.length) {
      for ((value, column) <- reader.read(take()).zipWithIndex) row.update(column, value)
      for (at <- types.indices) types(at) match {
        case DoubleType => row.update(places(at), java.lang.Double.longBitsToDouble(take()))
        case _ => integers(at) = (BigInt(take()) & Groups.LowerHalf) + (BigInt(take()) << 64)
      }
      var more = true
      while (more) {
        more = false
        for (at <- types.indices if integers(at) != null) {
          val (part, value) = Groups.part(integers(at), types(at))
          integers(at) -= part
          more ||= integers(at) != 0
          row.update(places(at), value)
        }
        all += projection(row).copy().getBytes
        for (at <- types.indices if integers(at) == null) row.update(places(at), 0.0)
      }
    }
    all
  }
}

object Groups {
  private val LowerHalf = (BigInt(1) << 64) - 1

  /** The part of a sum that a value of its type holds, and the value. */
  private def part(sum: BigInt, dataType: DataType): (BigInt, Any) = dataType match {
    case decimal: DecimalType =>
      val most = BigInt(10).pow(decimal.precision) - 1
      val part = sum.max(-most).min(most)
      (part, Decimal(BigDecimal(part, decimal.scale), decimal.precision, decimal.scale))
    case _ =>
      val part = sum.max(BigInt(Long.MinValue)).min(BigInt(Long.MaxValue))
      (part, part.toLong)
  }
}
