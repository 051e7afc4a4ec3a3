// How what a source sends becomes records. Raw data is stored with its source and the version of its format, and those choose who reads it.
import type { Records } from '../../measurements/records.ts';
import type { Rejection } from './upload-response.ts';

/** What is known of raw data beside its bytes. It is stored with them, so that reading them again gives the same records. */
export interface NormalizeContext {
  receivedMs: number;
  /** The categories that the person has allowed the phone's app; empty for clouds, which send only what was allowed. */
  scopes: readonly string[];
  /** The zone that clock times without an offset are in: the phone's own, or of a cloud's person the profile's when it was stored. Null is UTC. */
  timeZone: string | null;
}

export interface NamedZone {
  /** An IANA name. */
  name: string;
  /** When the person was there. */
  atMs: number;
}

export interface Normalized {
  records: Records;
  rejected: { count: number; first: readonly Rejection[] };
  /** The IANA zone that the provider names for the person, the latest one where it names several. */
  zone?: NamedZone;
}

/** Pure. Throws where nothing can be made of the whole; one bad record is a rejection. */
export type Normalizer = (raw: Uint8Array, context: NormalizeContext) => Normalized;

export interface SourceFormat {
  source: string;
  /** Counts up with every change that the reader of the version before would misread; a version stays readable forever. */
  format: number;
}

/** What one device brought, as its source hands it over. */
export interface RawBatch extends SourceFormat {
  timeZone: string | null;
  /** The whole, by which a repeat is recognized. */
  content: string | Uint8Array;
  /** The same records, cut so that a worker is done with each part long before its life ends. */
  chunks(): readonly RawChunk[];
}

export interface RawChunk {
  content: string | Uint8Array;
  /** How many records are in it. */
  records: number;
  /** The first and the last day that a record names. */
  from: string;
  to: string;
}
