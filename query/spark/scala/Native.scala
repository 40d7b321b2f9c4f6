package org.apache.spark.sql.netfold

import java.nio.file.{Files, StandardCopyOption}

/** The native methods of `libnetfold_spark.so` (`src/foreign.rs`). An error is a
  * `RuntimeException`. */
final class Native private {
  /** Starts a switch at `HOST:PORT`, which tasks reach at a host, and returns its number. */
  @native def start(listen: String, host: String, memoryBytes: Long, timeoutMs: Long): Long
  /** Takes the switch that runs at `HOST:PORT`, with a token that may be empty. */
  @native def at(address: String, token: String, memoryBytes: Long, timeoutMs: Long): Long
  @native def address(switch: Long): String
  /** Takes in a query of so many partitions, and returns its index. Those that are retired make
    * room for it. */
  @native def admit(switch: Long, program: Array[Long], partitions: Int): Int
  /** The place of a query, which its tasks open attempts at. */
  @native def place(switch: Long, query: Int): String
  /** The number of the first partition of a join that is pruned. */
  @native def firstProbe(): Int
  /** Says how many partitions fill a join's filter. */
  @native def fills(switch: Long, query: Int, partitions: Int): Unit
  /** Waits until a join's filter is sealed; returns whether it is. */
  @native def awaitSealed(switch: Long, query: Int, timeoutMs: Long): Boolean
  /** Waits until the totals of a sum are there; returns how many longs they are, or -1. */
  @native def awaitTotals(switch: Long, query: Int, timeoutMs: Long): Int
  /** Copies totals: of each group the key, and of each column two longs of an integer, the lower one
    * first, or one of a double. They have to be of these attempts, by partition, as Spark numbers
    * them. */
  @native def takeTotals(switch: Long, query: Int, attempts: Array[Long], totals: Array[Long]): Unit
  /** Keeps a query, as its rows may be read once more, until another one needs its room. */
  @native def retire(switch: Long, query: Int): Unit
  @native def release(switch: Long, query: Int): Unit
  @native def stop(switch: Long): Unit

  /** Opens an attempt of the query at a place, and returns its number. */
  @native def open(place: String, numbers: Array[Long]): Long
  /** Offers rows, and sets the bits of those that survive. */
  @native def offer(
      attempt: Long,
      rows: Int,
      keys: Array[Long],
      words: Array[Long],
      flags: Array[Byte],
      survivors: Array[Long]): Unit
  /** Puts keys into the filter of a join, or has rows of so many columns added. */
  @native def send(
      attempt: Long,
      rows: Int,
      columns: Int,
      keys: Array[Long],
      words: Array[Long],
      flags: Array[Byte]): Unit
  /** Ends an attempt that has sent all of its rows. */
  @native def finish(attempt: Long): Unit
  @native def close(attempt: Long): Unit
}

object Native {
  private val Library = "/netfold/libnetfold_spark.so"

  /** A value of a row is NULL. */
  val Null: Byte = 1

  /** The row is not offered. */
  val Past: Byte = 2

  /** The library, which is loaded from the jar once for each class loader. */
  lazy val library: Native = {
    val source = getClass.getResourceAsStream(Library)
    if (source == null) throw new IllegalStateException(s"the jar has no $Library")
    // Another name for each: the machine loads a file for one class loader only.
    val file = Files.createTempFile("libnetfold_spark", ".so")
    try {
      Files.copy(source, file, StandardCopyOption.REPLACE_EXISTING)
      System.load(file.toString)
    } finally {
      source.close()
      Files.deleteIfExists(file)
    }
    new Native
  }
}
