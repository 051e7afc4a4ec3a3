// The contract of normalizers, which turn a source's data into records. Raw data is stored with its
// source and format version, which select the normalizer.

import type { UploadKind } from '../../catalog/upload-kinds.ts';
import type { Records } from '../../measurements/records.ts';
import type { RejectionCount } from './rejection-tally.ts';
import type { Rejection } from './upload-response.ts';

/**
 * What is known about raw data in addition to its bytes. It is stored with them, so that
 * normalizing them again yields the same records.
 */
export interface NormalizeContext {
  receivedMs: number;
  /**
   * The categories that the user has allowed the phone's app to read; empty for cloud providers,
   * which send only what was allowed.
   */
  scopes: readonly string[];
  /**
   * The zone of clock times without an offset: the phone's own, or for a cloud provider that of the
   * user's profile when the data was stored. Null means UTC.
   */
  timeZone: string | null;
}

export interface NamedZone {
  /** An IANA name. */
  name: string;
  /** When the user was in this zone. */
  atMs: number;
}

export interface Normalized {
  records: Records;
  rejected: { count: number; first: readonly Rejection[] };
  /** Present if a provider's records were rejected. */
  rejectionCounts?: readonly RejectionCount[];
  /** The IANA zone that the provider names for the user; the latest if it names several. */
  zone?: NamedZone;
}

/**
 * A pure function. It throws if the data as a whole cannot be read; a single bad record is a
 * rejection.
 */
export type Normalizer = (raw: Uint8Array, context: NormalizeContext) => Normalized;

export interface SourceFormat {
  source: string;
  /**
   * Incremented with every change that the previous version's normalizer would misread. Every
   * version stays readable forever.
   */
  format: number;
}

/** The data that one device sent, as its source delivers it. */
export interface RawBatch extends SourceFormat {
  timeZone: string | null;
  /** How the data came; absent for a phone's upload, which is summarized when it arrives. */
  via?: UploadKind;
  /** The complete content, by which a repeat is recognized. */
  content: string | Uint8Array;
  /** The same records, split so that a worker finishes each chunk long before its deadline. */
  chunks(): readonly RawChunk[];
}

export interface RawChunk {
  content: string | Uint8Array;
  /** The number of records in the chunk. */
  records: number;
  /** The first and the last day of its records. */
  from: string;
  to: string;
}
