// A phone's upload for tests of command rows.
import type { commandRows, UploadCommand } from '../../../shared/users/command-rows.ts';

type Appended = Extract<Parameters<ReturnType<typeof commandRows>['buildAppend']>[1], { kind: 'upload' }>;

export const someUpload = (about: Partial<Omit<UploadCommand, 'sk' | 'kind'>> = {}): Appended => ({
  kind: 'upload',
  id: 'bat_a',
  device: 'dev_a',
  receivedMs: 1_773_230_400_000,
  source: 'sdk',
  format: 1,
  timeZone: null,
  scopes: ['daily'],
  chunks: 1,
  records: 2,
  from: '2026-03-10',
  to: '2026-03-11',
  ...about,
});
