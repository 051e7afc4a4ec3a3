import type { Normalizer } from '../normalizer.ts';
import { readUpload } from './read-upload.ts';

export const normalizeUpload: Normalizer = (raw, { scopes, receivedMs }) => {
  const body: unknown = JSON.parse(Buffer.from(raw).toString());
  const { records, rejected } = readUpload(body, { scopes, nowMs: receivedMs });
  return { records, rejected };
};
