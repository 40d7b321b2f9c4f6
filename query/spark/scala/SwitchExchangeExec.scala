package org.apache.spark.sql.netfold

import org.apache.spark.TaskContext
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{Attribute, Expression, SortOrder, UnsafeProjection}
import org.apache.spark.sql.catalyst.expressions.codegen.LazilyGeneratedOrdering
import org.apache.spark.sql.catalyst.plans.physical.Partitioning
import org.apache.spark.sql.execution.{SparkPlan, UnaryExecNode}
import org.apache.spark.sql.execution.metric.{SQLMetric, SQLMetrics}
import org.apache.spark.sql.types.DoubleType
import org.apache.spark.util.collection.Utils

/** The treatment of rows at the switch. */
sealed trait Program

/** The first rows in the order are needed. */
case class TopN(rows: Int) extends Program

/** A row of each key is needed. */
case object Distinct extends Program

/** The first row of each key in the order is needed. */
case object Extreme extends Program

/** All rows are needed; their keys are those of a join's one side. */
case class FillBloom(join: JoinQuery) extends Program

/** Rows are needed whose key the other side of the join may have. */
case class ProbeBloom(join: JoinQuery) extends Program

/** The sums of columns by key are needed.
  *
  * @param values
  *   the columns
  * @param empty
  *   columns that say of a sum before them that it is one of nothing
  */
case class Sums(values: Seq[Attribute], empty: Seq[Attribute]) extends Program {
  /** Their number, and a bit for each of doubles, as the library takes them. */
  def columns: Long = values.indices.foldLeft(values.length.toLong) { (bits, at) =>
    if (values(at).dataType == DoubleType) bits | 1L << (8 + at) else bits
  }

  /** Words of 64 bits of their accumulators (R-QRY-19). */
  def words: Int = values.map(one => if (one.dataType == DoubleType) 35 else 2).sum
}

object Sums {
  /** Most columns of a row (R-QRY-1). */
  val MostColumns = 8

  /** Most words of a slot. */
  val MostWords = 255
}

/** Offers the rows of its input to the switch. Its output is the input's without rows that the rest
  * of the plan does not need.
  *
  * All partitions of its output have to be read by whoever reads any (R-QRY-36): it stands below
  * exchanges, and below `TakeOrderedAndProject`. */
case class SwitchExchangeExec(
    program: Program,
    keys: Seq[Expression],
    order: Seq[SortOrder],
    child: SparkPlan)
    extends UnaryExecNode {

  override def nodeName: String = "SwitchExchange"

  override def output: Seq[Attribute] = child.output

  override def outputPartitioning: Partitioning = child.outputPartitioning

  override def outputOrdering: Seq[SortOrder] = program match {
    case TopN(_) => order
    case _ => child.outputOrdering
  }

  override protected def stringArgs: Iterator[Any] = program match {
    case TopN(rows) => Iterator("top-n", s"n=$rows", s"by=${order.mkString("[", ", ", "]")}")
    case Distinct => Iterator("distinct", keyText)
    case Extreme =>
      val what = if (order.head.isAscending) "min" else "max"
      Iterator(s"group-$what", keyText, s"of=[${order.head.child}]")
    case FillBloom(join) => Iterator(s"fills bloom ${join.number}", keyText)
    case ProbeBloom(join) => Iterator(s"pruned by bloom ${join.number}", keyText)
    case Sums(values, _) => Iterator("group-sum", keyText, values.mkString("of=[", ", ", "]"))
  }

  /** Columns that decide, or are added. */
  def values: Seq[Expression] = program match {
    case Sums(values, _) => values
    case _ => order.take(1).map(_.child)
  }


  private def isJoin: Boolean = program match {
    case FillBloom(_) | ProbeBloom(_) => true
    case _ => false
  }

  private def keyText: String = keys.mkString("keys=[", ", ", "]")

  override lazy val metrics: Map[String, SQLMetric] = Map(
    "offered" -> SQLMetrics.createMetric(sparkContext, "rows offered"),
    "forwarded" -> SQLMetrics.createMetric(sparkContext, "rows forwarded"))

  override protected def doExecute(): RDD[InternalRow] = {
    val rows = combined(child.execute())
    program match {
      // No stage runs that nobody needs to wait for.
      case FillBloom(join) if rows.getNumPartitions == 0 => join.end()
      case _ =>
    }
    // The rows of one task are combined already, and there are no others.
    if (rows.getNumPartitions < (if (isJoin) 1 else 2)) return rows
    DriverSwitch.of(sparkContext).admit(this, rows, new Settings(conf)) match {
      case Left(reason) =>
        Notes.say(s"$nodeName ${stringArgs.mkString(", ")}", reason)
        rows
      case Right(query) =>
        program match {
          case ProbeBloom(join) => DriverSwitch.of(sparkContext).await(join, new Settings(conf))
          case _ =>
        }
        val counts = Counts(longMetric("offered"), longMetric("forwarded"))
        val (expressions, input) = (keys ++ values, child.output)
        program match {
          case sums: Sums => new SumJob(this, sums, rows, query, counts).run()
          case _ =>
            rows.mapPartitionsWithIndexInternal { (partition, partitionRows) =>
              val attempt = new Attempt(query, partition, TaskContext.get())
              val words = new Words(query, UnsafeProjection.create(expressions, input))
              if (query.role == Role.Fills) new Filling(attempt, words, partitionRows, counts)
              else new Offering(attempt, words, partitionRows, counts)
            }
        }
    }
  }

  /** The first rows of each partition, which no other can replace. */
  private def combined(rows: RDD[InternalRow]): RDD[InternalRow] = program match {
    case TopN(most) =>
      val (by, input) = (order, child.output)
      val sorted = SortOrder.orderingSatisfies(child.outputOrdering, order)
      rows.mapPartitionsInternal { partition =>
        val own = partition.map(_.copy())
        if (sorted) own.take(most)
        else Utils.takeOrdered(own, most)(new LazilyGeneratedOrdering(by, input))
      }
    case _ => rows
  }

  override protected def withNewChildInternal(newChild: SparkPlan): SwitchExchangeExec =
    copy(child = newChild)
}
