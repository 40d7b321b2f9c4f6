package org.apache.spark.sql.netfold

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.types._
import org.apache.spark.unsafe.types.UTF8String

/** The words that a column's values are offered as.
  *
  * @param kind
  *   the number that the library knows it by (`src/values.rs`)
  * @param exact
  *   different values have different words
  * @param bits
  *   bits of a value
  */
final class Column private (
    val kind: Int,
    val exact: Boolean,
    val bits: Int,
    val read: (InternalRow, Int) => Long)

object Column {
  private val Integer = 0
  private val Single = 1
  private val Double = 2
  private val Bytes = 3

  /** Most digits of a decimal that fits 64 bits. */
  private val Digits = 18

  /** The column of a type; nothing if the switch has no order for it. */
  def of(dataType: DataType): Option[Column] = Option(dataType match {
    case BooleanType => exact(8, (row, at) => if (row.getBoolean(at)) 1 else 0)
    case ByteType => exact(8, (row, at) => row.getByte(at))
    case ShortType => exact(16, (row, at) => row.getShort(at))
    case IntegerType | DateType | _: YearMonthIntervalType => exact(32, (row, at) => row.getInt(at))
    case LongType | TimestampType | TimestampNTZType | _: DayTimeIntervalType | _: TimeType =>
      exact(64, (row, at) => row.getLong(at))
    case FloatType =>
      val read = (row: InternalRow, at: Int) =>
        java.lang.Float.floatToRawIntBits(row.getFloat(at)).toLong
      new Column(Single, true, 32, read)
    case DoubleType =>
      val read = (row: InternalRow, at: Int) =>
        java.lang.Double.doubleToRawLongBits(row.getDouble(at))
      new Column(Double, true, 64, read)
    case decimal: DecimalType if decimal.precision <= Digits =>
      exact(64, (row, at) => row.getDecimal(at, decimal.precision, decimal.scale).toUnscaledLong)
    case decimal: DecimalType =>
      val read = (row: InternalRow, at: Int) => clamped(row, at, decimal)
      new Column(Integer, false, 128, read)
    case string: StringType if string.isUTF8BinaryCollation =>
      new Column(Bytes, false, 0, (row, at) => prefix(row.getUTF8String(at)))
    case _ => null
  })

  /** The value of a type whose values have different words. */
  def value(dataType: DataType, word: Long): Any = dataType match {
    case BooleanType => word != 0
    case ByteType => word.toByte
    case ShortType => word.toShort
    case IntegerType | DateType | _: YearMonthIntervalType => word.toInt
    case FloatType => java.lang.Float.intBitsToFloat(word.toInt)
    case DoubleType => java.lang.Double.longBitsToDouble(word)
    case decimal: DecimalType => Decimal(word, decimal.precision, decimal.scale)
    case _ => word
  }

  private def exact(bits: Int, read: (InternalRow, Int) => Long): Column =
    new Column(Integer, true, bits, read)

  private def clamped(row: InternalRow, at: Int, decimal: DecimalType): Long = {
    val value = row.getDecimal(at, decimal.precision, decimal.scale).toJavaBigDecimal.unscaledValue
    if (value.bitLength < 64) value.longValue
    else if (value.signum > 0) Long.MaxValue
    else Long.MinValue
  }

  private def prefix(string: UTF8String): Long = {
    val bytes = string.getBytes
    (0 until 8).foldLeft(0L)((word, at) =>
      word << 8 | (if (at < bytes.length) bytes(at) & 0xff else 0))
  }
}

/** Makes keys of 64 bits of columns (R-QRY-37): different values have different keys.
  *
  * Columns of a fixed length come first; if they need more than 64 bits, each as a number of 7 bits
  * a byte. Strings follow, each but the last with a zero behind it. A row whose values need more,
  * or have NULL among them, has no key. */
final class Keys(types: Seq[DataType]) {
  private val columns = types.map(dataType => Column.of(dataType).get).toArray
  private val (strings, numbers) =
    types.indices.toArray.partition(at => types(at).isInstanceOf[StringType])
  private val narrow = numbers.map(at => columns(at).bits).sum <= 64

  /** The key that was made last. */
  var key: Long = 0
  private var left = 0

  /** Makes the key of the first columns of a row; returns whether it has one. */
  def make(row: InternalRow): Boolean = {
    key = 0
    left = 64
    var fits = columns.indices.forall(at => !row.isNullAt(at))
    fits = fits && numbers.forall { at =>
      val word = columns(at).read(row, at)
      if (narrow) put(word, columns(at).bits) else putNumber(word)
    }
    fits && strings.indices.forall { which =>
      val bytes = row.getUTF8String(strings(which)).getBytes
      bytes.forall(byte => byte != 0 && put(byte, 8)) &&
        (which == strings.length - 1 || put(0, 8))
    }
  }

  /** The values of the columns of a key that was made. */
  def read(made: Long): Array[Any] = {
    key = made
    left = 64
    val values = new Array[Any](types.length)
    for (at <- numbers) {
      val word = if (narrow) take(columns(at).bits) else takeNumber()
      values(at) = Column.value(types(at), word)
    }
    for (at <- strings) values(at) = UTF8String.fromBytes(takeString())
    values
  }

  private def take(bits: Int): Long = {
    left -= bits
    if (bits == 64) key else key >>> left & ((1L << bits) - 1)
  }

  private def takeNumber(): Long = {
    var (rest, shift, byte) = (0L, 0, 0x80L)
    while ((byte & 0x80) != 0) {
      byte = take(8)
      rest |= (byte & 0x7f) << shift
      shift += 7
    }
    rest >>> 1 ^ -(rest & 1)
  }

  /** A string ends before a zero, or where the key does. */
  private def takeString(): Array[Byte] =
    Iterator.continually(if (left == 0) 0L else take(8)).takeWhile(_ != 0).map(_.toByte).toArray

  private def put(word: Long, bits: Int): Boolean = {
    left -= bits
    if (left >= 0) key |= (if (bits == 64) word else word & ((1L << bits) - 1)) << left
    left >= 0
  }

  private def putNumber(word: Long): Boolean = {
    var rest = word << 1 ^ word >> 63
    var fits = true
    while (fits && (rest & ~0x7fL) != 0) {
      fits = put(rest | 0x80, 8)
      rest >>>= 7
    }
    fits && put(rest, 8)
  }
}

object Keys {
  /** The reason why no row of such columns has a key; nothing if some may have (R-QRY-37). */
  def refuses(types: Seq[DataType]): Option[String] = types.collectFirst {
    case string: StringType if !string.isUTF8BinaryCollation => string
    case other if Column.of(other).forall(_.bits > 64) => other
  }.map(one => s"no key is made of ${one.sql}")
}
