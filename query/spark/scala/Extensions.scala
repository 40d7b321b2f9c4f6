package netfold

import org.apache.spark.sql.SparkSessionExtensions
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.execution.{ColumnarRule, SparkPlan}
import org.apache.spark.sql.netfold.SwitchRule

/** Has queries of a session go through the switch: `spark.sql.extensions=netfold.SparkExtensions`.
  *
  * With adaptive execution the rule sees the plan before it is cut into stages, and again whenever
  * Spark plans anew. Otherwise the columnar rules are the last before code is generated. */
class SparkExtensions extends (SparkSessionExtensions => Unit) {
  override def apply(extensions: SparkSessionExtensions): Unit = {
    extensions.injectQueryStagePrepRule(_ => SwitchRule)
    extensions.injectColumnar(_ => new ColumnarRule {
      override def preColumnarTransitions: Rule[SparkPlan] = SwitchRule
    })
  }
}
