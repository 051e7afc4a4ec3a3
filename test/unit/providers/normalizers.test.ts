import { expect, test } from 'vitest';
import { MobileScope } from '../../../shared/catalog/mobile-scopes.ts';
import { getNormalizer, UnknownFormat } from '../../../shared/providers/normalizers.ts';
import { sdkFormat, toRawUpload } from '../../../shared/providers/phone/format.ts';
import { readUpload } from '../../../shared/providers/phone/read-upload.ts';

const body = {
  time_zone: 'Asia/Tokyo',
  device: { name: '', model: 'W1', type: 'wrist' as const },
  samples: [{ metric: 'steps', start: '2026-03-10T08:00:00Z', value: 700, unit: 'count' }],
  daily: [{ date: '2026-03-10', metric: 'weight', value: 80_000, unit: 'g' }],
  sleep: [],
  workouts: [],
};
const facts = { receivedMs: Date.parse('2026-03-14T00:00:00Z'), scopes: MobileScope.options, timeZone: 'Asia/Tokyo' };

test('data of a source is read by its own normalizer, to the same records as at upload', async () => {
  const raw = toRawUpload(body);
  const normalize = await getNormalizer(raw);
  const parts = raw.chunks().map(({ content }) => normalize(Buffer.from(content), facts));
  const { records } = readUpload(body, { scopes: facts.scopes, nowMs: facts.receivedMs });
  expect(records.samples).toHaveLength(1);
  expect(parts).toEqual([{ records, rejected: { count: 0, first: [] } }]);
});

test('an invalid record is rejected, and the others are read', async () => {
  const wrong = { ...body, samples: [...body.samples, { ...body.samples[0], value: -1 }] };
  const { records, rejected } = (await getNormalizer(sdkFormat))(Buffer.from(JSON.stringify(wrong)), facts);
  expect(records.samples).toHaveLength(1);
  expect(rejected).toMatchObject({ count: 1, first: [{ path: 'samples.1.value', code: 'implausible_value' }] });
});

test.each([
  { source: 'sdk', format: 2 },
  { source: 'sdk', format: 0 },
  { source: 'fitbit', format: 1 },
  { source: 'constructor', format: 1 },
])('format $format of source $source is unknown, and the message names both', async ({ source, format }) => {
  await expect(getNormalizer({ source, format })).rejects.toThrow(UnknownFormat);
  await expect(getNormalizer({ source, format })).rejects.toThrow(`format ${format} of source ${source}`);
});
