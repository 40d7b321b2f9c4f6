package org.apache.spark.sql.netfold

import java.util.concurrent.TimeUnit

import org.apache.spark.internal.config.{ConfigBuilder, ConfigEntry, OptionalConfigEntry}
import org.apache.spark.network.util.ByteUnit
import org.apache.spark.sql.internal.SQLConf

/** The settings of a session; docs/query.md lists them. */
final class Settings(conf: SQLConf) {
  def enabled: Boolean = conf.getConf(Settings.Enabled)
  def rows: Int = conf.getConf(Settings.Rows)
  def width: Int = conf.getConf(Settings.Width)
  def sumRows: Int = conf.getConf(Settings.SumRows)
  def sumWidth: Int = conf.getConf(Settings.SumWidth)
  def filter: Int = conf.getConf(Settings.Filter)
  def batch: Int = conf.getConf(Settings.Batch)
  def timeoutMs: Long = conf.getConf(Settings.Timeout)
  def memoryBytes: Long = conf.getConf(Settings.Memory)
  def joinBytes: Long = conf.getConf(Settings.JoinBytes)
  def joinWaitMs: Long = conf.getConf(Settings.JoinWait)
  def port: Int = conf.getConf(Settings.Port)
  def switch: Option[String] = conf.getConf(Settings.Switch)
  def token: String = conf.getConf(Settings.Token)
}

/** The entries `spark.netfold.*`. Spark checks values, and names the key of one that is wrong. */
object Settings {
  private val Version = "0.1.0"

  private def entry(key: String, doc: String): ConfigBuilder =
    SQLConf.buildConf(s"spark.netfold.$key").doc(doc).version(Version)

  private def number(key: String, otherwise: Int, least: Int, most: Int)(doc: String) =
    entry(key, doc).intConf
      .checkValue(n => n >= least && n <= most, s"It must be a number from $least to $most.")
      .createWithDefault(otherwise)

  private def power(key: String, otherwise: Int)(doc: String) =
    entry(key, doc).intConf
      .checkValue(n => n > 1 && Integer.bitCount(n) == 1, "It must be a power of two, 2 or more.")
      .createWithDefault(otherwise)

  val Enabled: ConfigEntry[Boolean] =
    entry("enabled", "Queries of the session go through the switch.").booleanConf
      .createWithDefault(true)

  val Rows: ConfigEntry[Int] =
    power("rows", 1 << 15)("Rows of the caches of distinct, group-max and group-min.")

  val Width: ConfigEntry[Int] = number("width", 4, 1, 255)("Keys of each row of these caches.")

  val SumRows: ConfigEntry[Int] =
    power("sum.rows", 1 << 13)("Rows of a sum's tables, or fewer where memory is short.")

  val SumWidth: ConfigEntry[Int] = number("sum.width", 4, 1, 255)("Groups of each row of them.")

  val Filter: ConfigEntry[Int] = power("filter", 1 << 17)("Words of 64 bits of a join's filter.")

  val Batch: ConfigEntry[Int] =
    number("batch", 4096, 1, 1 << 20)("Rows that a task offers at a time.")

  val Timeout: ConfigEntry[Long] =
    entry("timeout", "Silence of the switch after which a task goes on without it.")
      .timeConf(TimeUnit.MILLISECONDS)
      .checkValue(_ > 0, "It must be a time above zero.")
      .createWithDefaultString("5s")

  val Memory: ConfigEntry[Long] =
    entry("memory", "Memory of the switch, for all queries.")
      .bytesConf(ByteUnit.BYTE)
      .createWithDefaultString("64m")

  val JoinBytes: ConfigEntry[Long] =
    entry("join.bytes", "Most bytes, as Spark estimates them, of the side that fills a filter.")
      .bytesConf(ByteUnit.BYTE)
      .createWithDefaultString("256m")

  val JoinWait: ConfigEntry[Long] =
    entry("join.wait", "Longest wait of a join's pruned side until the other side begins.")
      .timeConf(TimeUnit.MILLISECONDS)
      .createWithDefaultString("1min")

  val Switch: OptionalConfigEntry[String] =
    entry("switch", "HOST:PORT of a switch that runs already, in the place of one in the driver.")
      .stringConf
      .checkValue(_.matches(".+:[0-9]+"), "It must be HOST:PORT.")
      .createOptional

  /** Spark shows no settings whose keys have this word. */
  val Token: ConfigEntry[String] =
    entry("token", "Token of that switch, if it has one; without it, NETFOLD_TOKEN of the driver.")
      .stringConf
      .createWithDefaultFunction(() => sys.env.getOrElse("NETFOLD_TOKEN", ""))

  val Port: ConfigEntry[Int] =
    number("port", 0, 0, 65535)("Port of the switch at the driver's host; 0 takes any.")
}
