// Writes for which a failed condition is a result, not an error: nothing was written.
import { ConditionFailed, type Item, type Table } from './ports.ts';

export interface ConditionalResult {
  applied: boolean;
  /** The item that the write returned or, if the condition failed, the existing item. */
  item: Item | undefined;
}

export async function writeConditionally(
  table: Table,
  write: Parameters<Table['write']>[0],
): Promise<ConditionalResult> {
  try {
    return { applied: true, item: await table.write(write) };
  } catch (error) {
    if (error instanceof ConditionFailed) return { applied: false, item: error.item };
    throw error;
  }
}
