// A worker that knew a day before something happened, and writes it as it was.
import { dayRows, type NormalizedItem } from '../../shared/store/days.ts';
import type { TableWorkshop } from './worker-deps.ts';

export async function saidOn({ deps }: TableWorkshop, user: string, date: string): Promise<NormalizedItem> {
  const day = (await dayRows(deps.store).normalizedOn(user, [date])).get(date);
  if (!day) throw new Error(`nothing is said of ${date}`);
  return day;
}

export async function writeLate(shop: TableWorkshop, user: string, { date, packed }: NormalizedItem): Promise<void> {
  const { revision } = await saidOn(shop, user, date);
  const held = await dayRows(shop.deps.store).replaceNormalized(user, date, packed, revision);
  if (!held) throw new Error(`${date} was changed meanwhile`);
}
