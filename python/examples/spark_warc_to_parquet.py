"""Extract WARC files to Parquet on Spark, with site memory.

python spark_warc_to_parquet.py rows crawl/*.warc.gz
"""

import sys

from pyspark.sql import SparkSession

from tamis import spark as tamis_spark


def main(output: str, *paths: str) -> None:
    session = SparkSession.builder.appName("tamis").getOrCreate()
    pages = tamis_spark.read_pages(session, paths)
    # One row per site. Cached, since the second pass would otherwise learn it again.
    memory = tamis_spark.learn(pages).cache()
    rows = tamis_spark.extract_with(
        pages, memory, method="template-svm", fields=["url", "title", "published", "language", "text", "error"]
    )
    rows.write.mode("overwrite").parquet(output)
    session.stop()


if __name__ == "__main__":
    main(*sys.argv[1:])
