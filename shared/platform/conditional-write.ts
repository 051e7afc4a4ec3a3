// Writes whose refusal is an answer and no error: the condition did not hold, and nothing was written.
import { ConditionFailed, type Item, type Table } from './ports.ts';

export interface Conditional {
  held: boolean;
  /** What the write gave back; where it was refused, what stood there instead. */
  item: Item | undefined;
}

export async function conditionalWrite(table: Table, write: Parameters<Table['write']>[0]): Promise<Conditional> {
  try {
    return { held: true, item: await table.write(write) };
  } catch (error) {
    if (error instanceof ConditionFailed) return { held: false, item: error.item };
    throw error;
  }
}
