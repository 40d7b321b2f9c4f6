package org.apache.spark.sql.netfold

import java.util.concurrent.ConcurrentHashMap

import scala.util.control.NonFatal

import org.apache.spark.TaskContext
import org.apache.spark.internal.Logging
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection
import org.apache.spark.sql.execution.metric.SQLMetric
import org.apache.spark.sql.types.DataType

/** The place at which tasks find a query: `HOST:PORT JOB EPOCH KEY`. Logs do not have the key. */
final case class Place(text: String) {
  override def toString: String = text.takeWhile(_ != ' ')
}

/** A query at the switch, as its tasks know it.
  *
  * @param keys
  *   types of the columns of a key; nothing if the program reads no keys
  * @param values
  *   types of the columns that decide, or are added
  * @param exact
  *   rows with the same code replace one another
  * @param empty
  *   further columns, which say of rows of sums that they have one of nothing
  * @param role
  *   the use of the rows
  * @param firstPartition
  *   the number that the query has for the first partition of these rows
  * @param partitions
  *   partitions from there on that it has registers for
  */
case class Query(
    place: Place,
    index: Int,
    timeoutMs: Long,
    batch: Int,
    keys: Option[Seq[DataType]],
    values: Seq[DataType],
    descending: Boolean,
    nullsFirst: Boolean,
    exact: Boolean,
    empty: Int,
    role: Role.Value,
    firstPartition: Int,
    partitions: Int)

/** The use of a query's rows; the library knows it by its number. */
object Role extends Enumeration {
  val Pruned, Fills, Added = Value
}

/** Rows that tasks offer, and those of them that survive. */
case class Counts(offered: SQLMetric, forwarded: SQLMetric)

/** Things that are done as Spark does them, each told once with the reason. */
object Notes extends Logging {
  private val Most = 1000
  private val said = ConcurrentHashMap.newKeySet[String]()

  def say(what: String, reason: String): Unit =
    if (said.size < Most && said.add(s"$what: $reason")) {
      logWarning(s"netfold: $what is done by Spark alone: $reason")
    }
}

/** The words of a batch of rows, in the columns that the library takes. */
final class Words(query: Query, projection: UnsafeProjection) {
  private val keyMaker = query.keys.map(types => new Keys(types))
  private val columns = query.values.map(dataType => Column.of(dataType).get).toArray
  private val first = query.keys.fold(0)(_.length)
  private val empty = (0 until query.empty).map(first + columns.length + _)

  val keys: Array[Long] = if (keyMaker.isEmpty) null else new Array[Long](query.batch)
  val words: Array[Long] =
    if (columns.isEmpty) null else new Array[Long](query.batch * columns.length)
  val flags = new Array[Byte](query.batch)
  val survivors = new Array[Long]((query.batch + 63) / 64)
  var rows = 0

  def isFull: Boolean = rows == query.batch

  def clear(): Unit = rows = 0

  def add(row: InternalRow): Unit = {
    val projected = projection(row)
    flags(rows) = 0
    for (maker <- keyMaker) {
      if (!maker.make(projected)) flags(rows) = Native.Past
      keys(rows) = maker.key
    }
    for (at <- columns.indices) {
      if (projected.isNullAt(first + at)) flags(rows) = (flags(rows) | Native.Null).toByte
      else words(rows * columns.length + at) = columns(at).read(projected, first + at)
    }
    if (empty.exists(at => projected.getBoolean(at))) flags(rows) = Native.Past
    rows += 1
  }

  /** Takes the last row away unless the switch can add it (R-QRY-38). Returns whether it stays. */
  def keepAddend(): Boolean = {
    def fits(at: Int) = columns(at).exact || {
      val word = words((rows - 1) * columns.length + at)
      word != Long.MaxValue && word != Long.MinValue
    }
    val stays = flags(rows - 1) == 0 && columns.indices.forall(fits)
    if (!stays) rows -= 1
    stays
  }

  def survives(row: Int): Boolean = (survivors(row >> 6) >>> (row & 63) & 1) == 1
}

/** An attempt of a task at the switch; once that is silent, it stays out of the way. */
final class Attempt(query: Query, partition: Int, task: TaskContext) extends Logging {
  private var number = 0L

  /** Rows are offered. */
  var isOpen: Boolean = partition < query.partitions && !Attempt.silent.contains(query.place)

  if (isOpen) {
    guarded {
      val column = query.values.headOption.map(dataType => Column.of(dataType).get)
      def flag(set: Boolean) = if (set) 1L else 0L
      number = Native.library.open(
        query.place.text,
        Array(
          query.firstPartition + partition,
          task.taskAttemptId(),
          query.timeoutMs,
          query.role.id,
          flag(query.keys.isDefined),
          if (query.role == Role.Added) query.values.length else column.fold(-1L)(_.kind.toLong),
          flag(query.descending),
          flag(query.nullsFirst),
          flag(query.exact)))
      task.addTaskCompletionListener[Unit](_ => Native.library.close(number))
    }
  }

  def offer(words: Words): Unit = guarded {
    Native.library
      .offer(number, words.rows, words.keys, words.words, words.flags, words.survivors)
  }

  def send(words: Words): Unit = guarded {
    Native.library
      .send(number, words.rows, query.values.length, words.keys, words.words, words.flags)
  }

  def finish(): Unit = guarded(Native.library.finish(number))

  /** Rows never depend on the switch: without it, all survive. */
  private def guarded(call: => Unit): Unit =
    try call
    catch {
      case error @ (NonFatal(_) | _: LinkageError) =>
        isOpen = false
        if (Attempt.silent.size > Attempt.Most) Attempt.silent.clear()
        if (Attempt.silent.add(query.place)) {
          logWarning(s"netfold: tasks go on without the switch at ${query.place}: $error")
        }
    }
}

object Attempt {
  private val Most = 1000

  /** Queries whose switch is silent: other tasks of this machine need not find out again. */
  private val silent = ConcurrentHashMap.newKeySet[Place]()
}

/** The rows of a task that the switch does not drop. */
final class Offering(attempt: Attempt, words: Words, rows: Iterator[InternalRow], counts: Counts)
    extends Iterator[InternalRow] {
  private val batch = new Array[InternalRow](words.flags.length)
  private var next_ = 0

  override def hasNext: Boolean = {
    while (next_ == words.rows && attempt.isOpen && rows.hasNext) offer()
    next_ < words.rows || rows.hasNext
  }

  override def next(): InternalRow = {
    if (!hasNext) throw new NoSuchElementException("the task has no more rows")
    if (next_ == words.rows) {
      rows.next()
    } else {
      next_ += 1
      batch(next_ - 1)
    }
  }

  /** Offers the next batch, and moves its survivors to the front. */
  private def offer(): Unit = {
    words.clear()
    next_ = 0
    while (!words.isFull && rows.hasNext) {
      val row = rows.next().copy()
      batch(words.rows) = row
      words.add(row)
    }
    counts.offered.add(words.rows)
    attempt.offer(words)
    if (attempt.isOpen) {
      var kept = 0
      for (row <- 0 until words.rows if words.survives(row)) {
        batch(kept) = batch(row)
        kept += 1
      }
      words.rows = kept
    }
    counts.forwarded.add(words.rows)
  }
}

/** The rows of a task, whose keys go into the filter of a join. */
final class Filling(attempt: Attempt, words: Words, rows: Iterator[InternalRow], counts: Counts)
    extends Iterator[InternalRow] {
  override def hasNext: Boolean = {
    val more = rows.hasNext
    if (!more && attempt.isOpen) {
      fill()
      if (attempt.isOpen) attempt.finish()
      attempt.isOpen = false
    }
    more
  }

  override def next(): InternalRow = {
    val row = rows.next()
    if (attempt.isOpen) {
      words.add(row)
      if (words.isFull) fill()
    }
    row
  }

  private def fill(): Unit = {
    counts.offered.add(words.rows)
    counts.forwarded.add(words.rows)
    attempt.send(words)
    words.clear()
  }
}
