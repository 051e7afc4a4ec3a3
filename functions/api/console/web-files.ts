// The built pages of the console, which lie next to the bundle (`infra/build/web.ts`).
import { readdirSync, readFileSync } from 'node:fs';
import { assetTypes } from './asset-types.ts';

export interface WebFile {
  contentType: string;
  bytes: Uint8Array<ArrayBuffer>;
}

const webUrl = new URL('./web/', import.meta.url);
const cachedFiles = new Map<string, WebFile>();
let listedNames: ReadonlySet<string> | undefined;

/** Undefined if this version of the console has no such file. */
export function readWebAsset(name: string): WebFile | undefined {
  listedNames ??= new Set(readdirSync(new URL('assets/', webUrl)));
  // A listed name is one of a file in the folder itself, so no path can lead out of it.
  if (!listedNames.has(name)) return undefined;
  const contentType = assetTypes[name.slice(name.lastIndexOf('.') + 1)];
  if (contentType === undefined) throw new Error(`the console has no content type for ${name}`);
  const file = cachedFiles.get(name) ?? {
    contentType,
    bytes: new Uint8Array(readFileSync(new URL(`assets/${name}`, webUrl))),
  };
  cachedFiles.set(name, file);
  return file;
}

let document: string | undefined;

/** The document of every page. */
export function readConsoleDocument(): string {
  document ??= readFileSync(new URL('index.html', webUrl), 'utf8');
  return document;
}

/** Allows only the files of this deployment: no inline script or style, and no HTML from text. */
export const buildConsolePolicy = (origin: string): string =>
  [
    "default-src 'none'",
    `script-src ${origin}/console/assets/`,
    `style-src ${origin}/console/assets/`,
    `img-src ${origin}/console/assets/`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
