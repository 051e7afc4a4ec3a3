// Writes whose refusal is an answer and no error: the condition did not hold, and nothing was written.
import { ConditionFailed, type Item, type Table } from './ports.ts';

export interface ConditionalResult {
  applied: boolean;
  /** What the write gave back; where it was refused, what stood there instead. */
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
