// Which pending commands a pass processes next.
import { describe, expect, test } from 'vitest';
import { ingestBatchLimits } from '../../../../shared/pipeline/ingest-batch-limits.ts';
import { type SkippedCommands, selectNextCommands } from '../../../../shared/pipeline/writer/select-next-commands.ts';
import type {
  Command,
  LongCommand,
  LongCommandProgress,
  UploadCommand,
} from '../../../../shared/users/command-rows.ts';

const nowMs = 1_000_000;
const shared = { failures: 0, crashes: 0 };
const upload = (id: string, more: Partial<UploadCommand> = {}): UploadCommand => ({
  ...shared,
  sk: `!UPLOAD#${id}`,
  kind: 'upload',
  id,
  device: 'dev_ring',
  receivedMs: 1,
  source: 'oura',
  format: 1,
  timeZone: null,
  scopes: [],
  chunks: 1,
  records: 1,
  from: '',
  to: '',
  ...more,
});
const ofPhone = (id: string, more: Partial<UploadCommand> = {}) =>
  upload(id, { source: 'sdk', device: 'dev_phone', ...more });
const long = (kind: LongCommand['kind'], more: Partial<LongCommand> = {}): LongCommand => ({
  ...shared,
  sk: `!DO#${kind}`,
  kind,
  id: `cmd_${kind}`,
  unannounced: { metrics: [], from: null, to: null },
  ...more,
});
const stoppedAt = (atMs: number): LongCommandProgress => ({ atMs, through: '2026-03-01', from: null, to: null });

const nothing: SkippedCommands = { failed: new Map(), postponed: new Set(), isOneByOne: false };
const selectedIds = (waiting: readonly Command[], skipped: Partial<SkippedCommands> = {}, token?: string): string[] =>
  selectNextCommands(waiting, { ...nothing, ...skipped }, nowMs, token).commands.map(({ id }) => id);

describe('a pass selects', () => {
  test('short commands before long ones, in the order of arrival', () => {
    const waiting = [long('rebuild'), long('recount'), upload('a'), ofPhone('b')];
    expect(selectedIds(waiting)).toEqual(['a']);
    expect(selectedIds(waiting, { postponed: new Set(['a']) })).toEqual(['b']);
    expect(selectedIds(waiting, { postponed: new Set(['a', 'b']) })).toEqual(['cmd_rebuild']);
    expect(selectNextCommands(waiting, { ...nothing, postponed: new Set(['a', 'b']) }, nowMs, undefined).isLong).toBe(
      true,
    );
  });

  test('the uploads of one device together, and those of another later', () => {
    expect(selectedIds([upload('a'), ofPhone('b'), upload('c')])).toEqual(['a', 'c']);
    expect(selectedIds([ofPhone('b'), upload('a'), ofPhone('d')])).toEqual(['b', 'd']);
  });

  test('each upload alone after several failed together, and one that failed or crashed a worker before', () => {
    expect(selectedIds([upload('a'), upload('c')], { isOneByOne: true })).toEqual(['a']);
    expect(selectedIds([upload('a', { failures: 1 }), upload('c')])).toEqual(['a']);
    expect(selectedIds([upload('a', { crashes: 1 }), upload('c')])).toEqual(['a']);
  });

  test('no command before its time', () => {
    expect(selectedIds([long('rebuild', { notBeforeMs: nowMs + 1 })])).toEqual([]);
    expect(selectedIds([long('rebuild', { notBeforeMs: nowMs })])).toEqual(['cmd_rebuild']);
  });
});

describe('a later upload of a provider never overtakes', () => {
  test.each([
    ['one that has failed in this run', { failed: new Map([['a', new Error('it failed')]]) }],
    ['one whose raw data is not there yet', { postponed: new Set(['a']) }],
  ])('%s, while that of a phone does', (_which, skipped) => {
    expect(selectedIds([upload('a'), upload('c')], skipped)).toEqual([]);
    expect(selectedIds([upload('a'), upload('c'), upload('d', { device: 'dev_watch' })], skipped)).toEqual(['d']);
    expect(selectedIds([ofPhone('a'), ofPhone('c')], skipped)).toEqual(['c']);
  });
});

describe('a long command that has started', () => {
  const begun = long('recount', { cursor: stoppedAt(nowMs - 59_999) });

  test('is continued only by the message with its token', () => {
    expect(selectedIds([begun])).toEqual([]);
    expect(selectedIds([begun], {}, 'cmd_another')).toEqual([]);
    expect(selectedIds([begun], {}, begun.id)).toEqual([begun.id]);
  });

  test('is continued by any message once its own has been missing for a minute', () => {
    expect(selectedIds([{ ...begun, cursor: stoppedAt(nowMs - 60_000) }])).toEqual([begun.id]);
  });

  test('is continued by its message before another long command starts, and does not block that one otherwise', () => {
    expect(selectedIds([long('rebuild'), begun], {}, begun.id)).toEqual([begun.id]);
    expect(selectedIds([long('rebuild'), begun])).toEqual(['cmd_rebuild']);
  });
});

test('no more uploads are processed together than one transaction can finish', () => {
  const many = Array.from({ length: 100 }, (_none, at) => ofPhone(`upl_${at}`));
  expect(selectedIds(many)).toEqual(many.slice(0, ingestBatchLimits.uploads).map(({ id }) => id));
});

test('uploads too large to be processed together are processed separately, and an upload over the limit alone', () => {
  const large = (id: string) => ofPhone(id, { records: ingestBatchLimits.records - 1 });
  expect(selectedIds([large('upl_1'), ofPhone('upl_2'), ofPhone('upl_3')])).toEqual(['upl_1', 'upl_2']);
  expect(selectedIds([ofPhone('upl_1', { records: ingestBatchLimits.records + 1 }), ofPhone('upl_2')])).toEqual([
    'upl_1',
  ]);
});
