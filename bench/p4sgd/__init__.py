"""Linear models that are split by features: P4SGD's figures 9 to 15, and its equations,
by measurement.
"""
