// Uploads that could not be worked in: kept with their raw data to be looked at, until an operator has them tried again.
import * as z from 'zod';
import { removeKeys } from '../platform/large-items.ts';
import type { Key, Write } from '../platform/ports.ts';
import { instant, keys, lists, userPartition } from '../system/keys.ts';
import { repository } from '../system/store.ts';
import type { ReplayCommand, UploadCommand } from '../users/command-rows.ts';

const about = { user: z.string(), id: z.string(), device: z.string(), receivedMs: z.number(), asideMs: z.number() };
const Upload = z.object({
  ...about,
  kind: z.literal('upload'),
  reason: z.string(),
  source: z.string(),
  format: z.number(),
  timeZone: z.string().nullable(),
  scopes: z.array(z.string()),
  pieces: z.number(),
  records: z.number(),
  from: z.string(),
  to: z.string(),
});
const Replay = z.object({
  ...about,
  kind: z.literal('replay'),
  reason: z.string(),
  uploads: z.array(z.string()),
  replayed: z.number(),
});
const AsideRow = z.discriminatedUnion('kind', [Upload, Replay]);
export type AsideRow = z.infer<typeof AsideRow>;

export const asideRows = repository(({ table }) => ({
  /** In the place of its command. */
  settingAside(user: string, command: UploadCommand | ReplayCommand, asideMs: number, reason: string): Write {
    const row = AsideRow.parse({ ...command, user, asideMs, reason });
    return {
      kind: 'put',
      item: {
        ...row,
        ...keys.setAside(user, command.id),
        listPk: lists.setAside,
        listSk: `${instant(asideMs)}#${command.id}`,
      },
    };
  },
  /** Refused when somebody was faster. */
  takingUp: (row: AsideRow): Write => ({
    kind: 'delete',
    key: keys.setAside(row.user, row.id),
    condition: 'attribute_exists(#pk)',
  }),
  /** Those of a device that is gone; their raw data goes with the device's. */
  async removeAll(user: string, device: string): Promise<void> {
    const found = table.queryAll({
      where: '#pk = :pk AND begins_with(#sk, :prefix)',
      values: { pk: userPartition(user), prefix: 'Q#' },
      consistent: true,
    });
    for await (const item of found) {
      const row = AsideRow.parse(item);
      if (row.device === device) await removeKeys(table, [keys.setAside(user, row.id)]);
    }
  },
  /** Of all users, the first to be set aside first. */
  async all(): Promise<AsideRow[]> {
    const listed: Key[] = [];
    const found = table.queryAll({ index: 'by-list', where: '#listPk = :list', values: { list: lists.setAside } });
    for await (const { pk, sk } of found) listed.push({ pk: String(pk), sk: String(sk) });
    const items = await table.batchGet(listed, { consistent: true });
    return items.map((item) => AsideRow.parse(item)).sort((a, b) => a.asideMs - b.asideMs);
  },
}));
