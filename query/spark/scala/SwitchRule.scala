package org.apache.spark.sql.netfold

import org.apache.spark.sql.catalyst.expressions.{Ascending, Attribute, Descending, Expression, NullsLast, SortOrder, XxHash64}
import org.apache.spark.sql.catalyst.expressions.aggregate.{AggregateExpression, AggregateFunction, Average, Count, Max, Min, Partial, Sum}
import org.apache.spark.sql.catalyst.optimizer.{BuildLeft, BuildRight, BuildSide}
import org.apache.spark.sql.catalyst.plans.{ExistenceJoin, Inner, JoinType, LeftAnti, LeftOuter, LeftSemi, RightOuter}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern
import org.apache.spark.sql.execution.{BaseLimitExec, SampleExec, SortExec, SparkPlan, TakeOrderedAndProjectExec}
import org.apache.spark.sql.execution.adaptive.{AdaptiveSparkPlanExec, QueryStageExec, ShuffleQueryStageExec}
import org.apache.spark.sql.execution.aggregate.BaseAggregateExec
import org.apache.spark.sql.execution.columnar.InMemoryTableScanExec
import org.apache.spark.sql.execution.exchange.{ReusedExchangeExec, ShuffleExchangeExec}
import org.apache.spark.sql.execution.joins.ShuffledJoin
import org.apache.spark.sql.types.{BooleanType, DataType, DecimalType, DoubleType, LongType, StringType}

/** Puts a `SwitchExchange` where rows leave their tasks: below the exchange of a partial maximum,
  * minimum, distinct or sum, below those of an equi-join, and below `TakeOrderedAndProject`.
  *
  * It leaves the rest as it is. What it could not take over is told once (`Notes`). */
object SwitchRule extends Rule[SparkPlan] {
  override def apply(plan: SparkPlan): SparkPlan =
    if (!new Settings(conf).enabled) plan
    else {
      try rewritten(plan)
      catch {
        case error: LinkageError =>
          Notes.say("every query", s"the jar is not for this version of Spark: $error")
          plan
      }
    }

  private def rewritten(plan: SparkPlan): SparkPlan = {
    val shared = new Shared(plan)
    plan.transformUp {
      case top: TakeOrderedAndProjectExec if top.limit > 0 =>
        below(top, top.child, TopN(top.limit), Nil, top.sortOrder)
      case exchange: ShuffleExchangeExec if !exchange.pipelined =>
        exchange.child match {
          case partial: BaseAggregateExec if isPartial(partial) => aggregate(exchange, partial)
          case _ => exchange
        }
      case join: ShuffledJoin => joined(join, shared)
    }
  }

  /** The node with a `SwitchExchange` above its child, or as it is. */
  private def below(
      node: SparkPlan,
      child: SparkPlan,
      program: Program,
      keys: Seq[Expression],
      order: Seq[SortOrder]): SparkPlan = {
    lazy val refused = refusal(child, program, keys, order)
    if (child.isInstanceOf[SwitchExchangeExec]) {
      node
    } else if (refused.isDefined) {
      Notes.say(node.nodeName, refused.get)
      node
    } else {
      node.withNewChildren(Seq(SwitchExchangeExec(program, keys, order, child)))
    }
  }

  /** The reason why the switch cannot do it. */
  private def refusal(
      child: SparkPlan,
      program: Program,
      keys: Seq[Expression],
      order: Seq[SortOrder]): Option[String] = {
    val unordered = order.headOption.filter(by => Column.of(by.dataType).isEmpty)
    unordered
      .map(by => s"the switch has no order for ${by.dataType.sql}")
      .orElse(Keys.refuses(keys.map(_.dataType)))
      .orElse(program match {
        case sums: Sums => refusal(sums)
        case _ => unsteady(child)
      })
  }

  /** The reason why the switch cannot add these columns. Tasks that are run again may have other
    * rows: one attempt of each is taken. */
  private def refusal(sums: Sums): Option[String] = {
    val other = sums.values.map(_.dataType).collectFirst {
      case one if !one.isInstanceOf[DecimalType] && one != LongType && one != DoubleType => one
    }
    other
      .map(one => s"the switch does not add ${one.sql}")
      .orElse(Option.when(sums.values.length > Sums.MostColumns || sums.words > Sums.MostWords) {
        val doubles = sums.values.count(_.dataType == DoubleType)
        s"${sums.values.length} sums and counts, $doubles of doubles, do not fit a slot"
      })
  }

  /** The reason why a task that is run again may have other rows (R-QRY-29). */
  private def unsteady(plan: SparkPlan): Option[String] = plan match {
    case stage: QueryStageExec => unsteady(stage.plan)
    case adaptive: AdaptiveSparkPlanExec => unsteady(adaptive.executedPlan)
    case reused: ReusedExchangeExec => unsteady(reused.child)
    case cached: InMemoryTableScanExec => unsteady(cached.relation.cachedPlan)
    case _: BaseLimitExec | _: SampleExec =>
      Some(s"${plan.nodeName} may take other rows when a task is run again")
    case _ if plan.expressions.exists(!_.deterministic) =>
      Some(s"${plan.nodeName} has an expression that is not deterministic")
    case _ => plan.children.iterator.flatMap(unsteady).nextOption()
  }

  /** The aggregate is what tasks do before the exchange. */
  private def isPartial(aggregate: BaseAggregateExec): Boolean =
    aggregate.requiredChildDistributionExpressions.isEmpty && !aggregate.isStreaming &&
      aggregate.aggregateExpressions.forall(_.mode == Partial)

  private def aggregate(exchange: ShuffleExchangeExec, partial: BaseAggregateExec): SparkPlan = {
    val keys = partial.groupingExpressions.map(_.toAttribute)
    def extreme(function: AggregateFunction): Option[SortOrder] = {
      def value: Attribute = partial.output(keys.length)
      function match {
        case _: Max => Some(SortOrder(value, Descending, NullsLast, Nil))
        case _: Min => Some(SortOrder(value, Ascending, NullsLast, Nil))
        case _ => None
      }
    }
    partial.aggregateExpressions match {
      case Seq() if keys.nonEmpty => below(exchange, partial, Distinct, keys, Nil)
      case Seq(AggregateExpression(function, _, _, _, _)) if extreme(function).isDefined =>
        below(exchange, partial, Extreme, keys, extreme(function).toSeq)
      case Seq() => exchange
      case functions if functions.forall(isSum) =>
        if (keys.isEmpty) {
          Notes.say(partial.nodeName, "without groups a task has one row")
          exchange
        } else {
          val (empty, values) = partial.output.drop(keys.length).partition(_.dataType == BooleanType)
          below(exchange, partial, Sums(values, empty), keys, Nil)
        }
      case others =>
        val names = others.map(_.aggregateFunction.prettyName).mkString(", ")
        Notes.say(partial.nodeName, s"the switch does not compute $names")
        exchange
    }
  }

  private def isSum(expression: AggregateExpression): Boolean =
    expression.aggregateFunction match {
      case _: Sum | _: Count | _: Average => true
      case _ => false
    }

  /** A join whose one side fills a filter, and whose other side is pruned by it. */
  private def joined(join: ShuffledJoin, shared: Shared): SparkPlan = {
    (exchangeOf(join.left), exchangeOf(join.right)) match {
      case (Some(left), Some(right)) =>
        fillingSide(join.joinType, left, right, shared) match {
          case Left(reason) =>
            Notes.say(join.nodeName, reason)
            join
          case Right(side) =>
            // It hears of all jobs of the query that is planned.
            DriverSwitch.of(join.session.sparkContext)
            val query = new JoinQuery
            def program(of: BuildSide) = if (of == side) FillBloom(query) else ProbeBloom(query)
            val newLeft = hashed(left, program(BuildLeft), join.leftKeys)
            val newRight = hashed(right, program(BuildRight), join.rightKeys)
            if (newLeft.eq(left) || newRight.eq(right)) join
            else {
              join.withNewChildren(
                Seq(replaced(join.left, newLeft), replaced(join.right, newRight)))
            }
        }
      // Adaptive execution has begun with the side that waits to be pruned.
      case (Some(left), None) if prunes(BuildLeft, join.joinType) =>
        waiting(join.right, join.rightKeys).fold[SparkPlan](join) { query =>
          val newLeft = hashed(left, FillBloom(query), join.leftKeys)
          join.withNewChildren(Seq(replaced(join.left, newLeft), join.right))
        }
      case (None, Some(right)) if prunes(BuildRight, join.joinType) =>
        waiting(join.left, join.leftKeys).fold[SparkPlan](join) { query =>
          val newRight = hashed(right, FillBloom(query), join.rightKeys)
          join.withNewChildren(Seq(join.left, replaced(join.right, newRight)))
        }
      case _ => join
    }
  }

  /** The join of a stage that is pruned by the same keys. */
  private def waiting(side: SparkPlan, keys: Seq[Expression]): Option[JoinQuery] = side match {
    case SortExec(_, _, child, _) => waiting(child, keys)
    case stage: ShuffleQueryStageExec =>
      stage.shuffle.child match {
        case SwitchExchangeExec(ProbeBloom(query), Seq(hash), _, _)
            if hash.semanticEquals(new XxHash64(keys)) =>
          Some(query)
        case _ => None
      }
    case _ => None
  }

  /** An exchange whose rows are offered by a hash of their keys, which equal values share. */
  private def hashed(
      exchange: ShuffleExchangeExec,
      program: Program,
      keys: Seq[Expression]): SparkPlan = {
    def isCollated(one: DataType) = one match {
      case string: StringType => !string.isUTF8BinaryCollation
      case _ => false
    }
    keys.map(_.dataType).find(_.existsRecursively(isCollated)) match {
      case Some(other) =>
        Notes.say("a join", s"no key is made of ${other.sql}")
        exchange
      case None => below(exchange, exchange.child, program, Seq(new XxHash64(keys)), Nil)
    }
  }

  /** The exchange of a side of a join, which may be sorted. */
  private def exchangeOf(side: SparkPlan): Option[ShuffleExchangeExec] = side match {
    case exchange: ShuffleExchangeExec if !exchange.pipelined => Some(exchange)
    case SortExec(_, _, exchange: ShuffleExchangeExec, _) if !exchange.pipelined => Some(exchange)
    case _ => None
  }

  private def replaced(side: SparkPlan, exchange: SparkPlan): SparkPlan = side match {
    case sort: SortExec => sort.withNewChildren(Seq(exchange))
    case _ => exchange
  }

  /** Rows of the other side are not needed unless this side has a match. */
  private def prunes(side: BuildSide, joinType: JoinType): Boolean = (side, joinType) match {
    case (_, Inner | LeftSemi) => true
    case (BuildLeft, LeftOuter | LeftAnti | _: ExistenceJoin) => true
    case (BuildRight, RightOuter) => true
    case _ => false
  }

  /** The side that fills the filter: the smaller one, if it is small and suffices. */
  private def fillingSide(
      joinType: JoinType,
      left: ShuffleExchangeExec,
      right: ShuffleExchangeExec,
      shared: Shared): Either[String, BuildSide] = {
    val (side, size) =
      if (bytes(right) < bytes(left)) (BuildRight, bytes(right)) else (BuildLeft, bytes(left))
    if (Seq(left, right).exists(shared.isUsedTwice)) Left("an exchange of it is used twice")
    else if (!prunes(side, joinType)) Left(s"${joinType.sql} needs all rows of its larger side")
    else if (size > new Settings(conf).joinBytes) Left("it has no side that is known to be small")
    else Right(side)
  }

  private def bytes(exchange: ShuffleExchangeExec): BigInt =
    exchange.child.collectFirst { case plan if plan.logicalLink.isDefined => plan.logicalLink.get }
      .fold(BigInt(Long.MaxValue))(estimate)

  /** The bytes of a plan, as Spark estimates them; but of a join those of its largest input, where
    * Spark has the product of all: most joins find a row of one side for each of the other. */
  private def estimate(plan: LogicalPlan): BigInt =
    if (plan.children.nonEmpty && plan.containsPattern(TreePattern.JOIN)) {
      plan.children.map(estimate).max
    } else plan.stats.sizeInBytes

  /** Exchanges of a plan that Spark does once for several readers. */
  private final class Shared(plan: SparkPlan) {
    private lazy val counts =
      plan.collect { case exchange: ShuffleExchangeExec => exchange.canonicalized }
        .groupBy(identity).map { case (exchange, all) => exchange -> all.length }

    def isUsedTwice(exchange: ShuffleExchangeExec): Boolean =
      counts.getOrElse(exchange.canonicalized, 1) > 1
  }
}
