// Removes expired items once a day, as DynamoDB does on its own. The local engines only store the
// expiry time.
import { setTimeout as sleep } from 'node:timers/promises';
import { type AttributeValue, DynamoDBClient, ScanCommand, type ScanCommandOutput } from '@aws-sdk/client-dynamodb';
import { clientConfig } from '../../shared/platform/aws/client-config.ts';
import { unmarshalItem } from '../../shared/platform/aws/marshal.ts';
import { type Clock, ConditionFailed, type Log } from '../../shared/platform/ports.ts';
import { tableSchema } from '../../shared/system/table-schema.ts';
import { localConnection } from './engines/connection.ts';
import type { LocalTable } from './local-table.ts';
import type { WaitControl } from './wait-control.ts';

const dayMs = 24 * 3600 * 1000;
/** Leaves the machine to the user right after a start. */
const initialDelayMs = 60_000;
const scanPageSize = 1_000;
const pauseMs = 50;

/** Uses the host's clock. By any other clock, rows that workers still wait for could be removed. */
export async function expireDaily(localTable: LocalTable, waits: WaitControl, clock: Clock, log: Log): Promise<void> {
  for (let waitMs = initialDelayMs; !waits.stopped; waitMs = dayMs) {
    await waits.waitThroughDrain(waitMs);
    if (waits.stopped) return;
    try {
      await removeExpired(localTable, clock.now(), waits);
    } catch (error) {
      if (!waits.stopped) log('warn', 'expiry_failed', { cause: error });
    }
  }
}

/** Deletes in pages with a pause in between, so that the load is not noticeable. */
export async function removeExpired(
  { endpoint, tableName, table }: LocalTable,
  nowMs: number,
  waits: Pick<WaitControl, 'stopped'>,
): Promise<void> {
  const client = new DynamoDBClient(clientConfig('dynamodb', localConnection(endpoint)));
  const values = { now: Math.floor(nowMs / 1000) };
  for (
    let from: Record<string, AttributeValue> | undefined, first = true;
    (first || from) && !waits.stopped;
    first = false
  ) {
    const scan = new ScanCommand({
      TableName: tableName,
      FilterExpression: '#ttl < :now',
      ProjectionExpression: '#pk, #sk',
      ExpressionAttributeNames: { '#ttl': tableSchema.ttl, '#pk': tableSchema.pk, '#sk': tableSchema.sk },
      ExpressionAttributeValues: { ':now': { N: String(values.now) } },
      ExclusiveStartKey: from,
      Limit: scanPageSize,
    });
    const page: ScanCommandOutput = await client.send(scan);
    for (const { pk, sk } of (page.Items ?? []).map(unmarshalItem)) {
      const key = { pk: String(pk), sk: String(sk) };
      try {
        // The expiry may have been extended since the scan.
        await table.write({ kind: 'delete', key, condition: '#ttl < :now', values });
      } catch (error) {
        if (!(error instanceof ConditionFailed)) throw error;
      }
    }
    from = page.LastEvaluatedKey;
    if (from) await sleep(pauseMs);
  }
}
