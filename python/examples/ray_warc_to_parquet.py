"""Extract WARC files to Parquet on Ray, with site memory.

python ray_warc_to_parquet.py rows crawl/*.warc.gz
"""

import sys

from tamis import ray as tamis_ray


def main(output: str, *paths: str) -> None:
    pages = tamis_ray.read_pages(paths)
    memory = tamis_ray.learn(pages)
    rows = tamis_ray.extract(
        pages, memory=memory, method="template-svm", fields=["url", "title", "published", "language", "text", "error"]
    )
    rows.write_parquet(output)


if __name__ == "__main__":
    main(*sys.argv[1:])
