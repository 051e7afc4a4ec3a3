// Metrics made of log lines. Several log groups may feed one metric; it costs nothing in hours without a matching line.
import { Stack } from 'aws-cdk-lib';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern, type IFilterPattern, type ILogGroup, type JsonPattern } from 'aws-cdk-lib/aws-logs';

export interface LogMetric {
  /** Of the metric. */
  name: string;
  pattern: IFilterPattern;
  /** A number, or the field that has it; 1 unless given. */
  value?: string;
  /** The field that splits the metric. Each value that occurs is a metric of its own. */
  dimension?: string;
  /** Of the filter, where the same log group has another one for the same metric. */
  id?: string;
}

/** A line by its message. */
export const matchMessage = (message: string): JsonPattern => FilterPattern.stringValue('$.message', '=', message);

/** A line by its message, of what has failed so often in a row. */
export const matchRepeatedMessage = (message: string, failures: number): JsonPattern =>
  FilterPattern.all(matchMessage(message), FilterPattern.numberValue('$.failures', '>=', failures));

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
