// Metrics from log lines. Several log groups can feed one metric. A metric costs nothing in hours
// without a matching line.
import { Stack } from 'aws-cdk-lib';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern, type IFilterPattern, type ILogGroup, type JsonPattern } from 'aws-cdk-lib/aws-logs';
import type { LogCode } from '../../shared/platform/log-codes.ts';

export interface LogMetric {
  /** The name of the metric. */
  name: string;
  pattern: IFilterPattern;
  /** A number, or the field that contains it. Defaults to 1. */
  value?: string;
  /** The field that splits the metric. Each distinct value is billed as a metric of its own. */
  dimension?: string;
  /**
   * The id of the filter, needed when the same log group has another filter for the same metric.
   */
  id?: string;
}

/** Matches log lines by code. */
export const matchCode = (code: LogCode): JsonPattern => FilterPattern.stringValue('$.message', '=', code);

/** Matches log lines by code and by a minimum number of consecutive failures. */
export const matchRepeatedCode = (code: LogCode, failures: number): JsonPattern =>
  FilterPattern.all(matchCode(code), FilterPattern.numberValue('$.failures', '>=', failures));

export function addLogMetric(logs: ILogGroup, { name, pattern, value = '1', dimension, id = name }: LogMetric): Metric {
  const namespace = Stack.of(logs).stackName;
  logs.addMetricFilter(
    dimension === undefined ? id : `${id}By${dimension.charAt(0).toUpperCase()}${dimension.slice(1)}`,
    {
      filterPattern: pattern,
      metricNamespace: namespace,
      metricName: name,
      metricValue: value,
      ...(dimension === undefined ? {} : { dimensions: { [dimension]: `$.${dimension}` } }),
    },
  );
  return new Metric({ namespace, metricName: name });
}
