// Bundles functions into <output>/<name>/index.js: one minified file each, with the assets next to
// its handler and those it shares, and the pages that are built from its folder `web`. The format is
// CommonJS, because importing node:http as a module also loads the runtime's HTTP client, which
// doubles the CPU of a bare start for nothing.

import { existsSync } from 'node:fs';
import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild';
import { type FunctionSpec, postponedQueue, sealsTokens } from '../function-spec.ts';
import { browserScripts } from './browser-script.ts';
import { onlyClientVersions } from './client-versions.ts';
import { lightWebClasses, withoutOpenApiGenerator, withoutSchemaWriter } from './light-hono.ts';
import { minifiedPageStyles } from './minified-page-styles.ts';
import { createOnDemandPlugin } from './on-demand-plugin.ts';
import { shortServiceErrors } from './short-service-errors.ts';
import { buildWeb } from './web.ts';

const projectRoot = fileURLToPath(new URL('../..', import.meta.url));
const distFolder = path.join(projectRoot, 'dist');

export interface Bundle {
  name: string;
  file: string;
  bytes: number;
  gzippedBytes: number;
  /** Names of the packages whose code is in the bundle. */
  packages: string[];
}

/** Replaces the contents of the output folder. */
export async function bundleFunctions(
  functions: Readonly<Record<string, BundleSpec>>,
  outputFolder: string = distFolder,
): Promise<Bundle[]> {
  await rm(outputFolder, { recursive: true, force: true });
  const entries = Object.entries(functions);
  // Functions that link the same engines are built together, so that shared sources are read once.
  const groups = Map.groupBy(entries, ([, spec]) => JSON.stringify([buildDefines(spec), spec.writesSchemas === true]));
  const built = await Promise.all(Array.from(groups.values(), (group) => bundleGroup(group, outputFolder)));
  const byName = new Map(built.flat().map((bundle) => [bundle.name, bundle]));
  return entries.flatMap(([name]) => byName.get(name) ?? []);
}

type BundleSpec = Pick<
  FunctionSpec,
  | 'entry'
  | 'trigger'
  | 'table'
  | 'sends'
  | 'publishes'
  | 'secret'
  | 'calls'
  | 'providerSecrets'
  | 'mails'
  | 'writesSchemas'
>;

/** The names that `functions/runtime/deps.ts` checks before it links an engine. */
function buildDefines({
  table,
  sends,
  trigger,
  publishes,
  secret,
  calls = [],
  providerSecrets = [],
  mails,
}: BundleSpec): Record<string, string> {
  const granted = {
    NO_TABLE: table.length > 0,
    NO_QUEUE: sends.length > 0 || postponedQueue(trigger) !== undefined,
    NO_ORDER: postponedQueue(trigger) !== undefined,
    NO_BUS: publishes,
    NO_SECRET: secret,
    NO_WEBHOOKS: calls.includes('webhooks'),
    NO_PROVIDERS: calls.includes('providers'),
    NO_CREDENTIALS: providerSecrets.includes('credentials'),
    NO_TOKENS: sealsTokens({ providerSecrets }),
    NO_OPENED_TOKENS: providerSecrets.includes('tokens'),
    NO_MAIL: mails === true,
  };
  return Object.fromEntries(
    Object.entries(granted).flatMap(([name, isGranted]) => (isGranted ? [] : [[name, 'true']])),
  );
}

/** All functions of a group link the same engines. */
async function bundleGroup(group: [string, BundleSpec][], outputFolder: string): Promise<Bundle[]> {
  const define = group[0] ? buildDefines(group[0][1]) : {};
  const writer = group.some(([, { writesSchemas }]) => writesSchemas) ? [] : [withoutSchemaWriter];
  const onDemandPlugin = createOnDemandPlugin();
  const entryPoints = Object.fromEntries(group.map(([name, { entry }]) => [`${name}/index`, entry]));
  const { metafile } = await build(
    buildOptionsFor(entryPoints, define, outputFolder, [onDemandPlugin.plugin, ...writer]),
  ).catch((cause: unknown) => {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const failedEntries = group.map(([name, { entry }]) => `${name} cannot be bundled from ${entry}`).join(', or ');
    throw new Error(`The function ${failedEntries}. ${reason}`, { cause });
  });
  const outputs = Object.values(metafile.outputs);
  const outputsByFunction = group.map(([name, { entry }]) => ({
    name,
    entry,
    output: outputs.find(({ entryPoint }) => entryPoint === entry),
  }));
  const onDemandEntries = Object.assign(
    {},
    ...outputsByFunction.map(({ name, output }) => (output ? onDemandPlugin.entriesFor(name, output) : {})),
  );
  await build(buildOptionsFor(onDemandEntries, define, outputFolder, writer));
  return Promise.all(
    outputsByFunction.map(({ name, entry, output }) => finishBundle(name, entry, outputFolder, output?.inputs)),
  );
}

const buildOptionsFor = (
  entryPoints: Record<string, string>,
  define: Record<string, string>,
  outdir: string,
  plugins: readonly Plugin[] = [],
) =>
  ({
    absWorkingDir: projectRoot,
    entryPoints,
    outdir,
    bundle: true,
    minify: true,
    // Maps next to each file let stack traces name the sources wherever source maps are enabled.
    // The sources themselves are left out.
    sourcemap: 'linked',
    sourcesContent: false,
    format: 'cjs',
    define: { 'import.meta.url': 'moduleUrl', ...define },
    banner: { js: 'const moduleUrl = require("node:url").pathToFileURL(__filename).href;' },
    platform: 'node',
    target: 'node24',
    // By default esbuild picks CommonJS builds on this platform, which it cannot tree-shake.
    // Setting `conditions` would drop the one called `module`.
    mainFields: ['module', 'main'],
    alias: {
      // Leaves out profiles, single sign-on and metadata services: a function's credentials are in
      // its environment.
      '@aws-sdk/credential-provider-node': path.join(projectRoot, 'infra/build/no-credential-provider.ts'),
      '@aws-sdk/endpoint-cache': path.join(projectRoot, 'infra/build/no-endpoint-cache.ts'),
    },
    // Becomes `require`, for the reason above: the SDK imports node:http dynamically at its first
    // http:// endpoint.
    supported: { 'dynamic-import': false },
    // The SDK loads it for operations that stream events, and no such operation is called here.
    external: ['@smithy/core/event-streams'],
    plugins: [
      browserScripts,
      withoutOpenApiGenerator,
      onlyClientVersions,
      shortServiceErrors,
      minifiedPageStyles,
      ...plugins,
    ],
    inject: [lightWebClasses],
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'silent',
    metafile: true,
  }) as const satisfies BuildOptions;

async function finishBundle(
  name: string,
  entry: string,
  outputFolder: string,
  inputs: Metafile['outputs'][string]['inputs'] = {},
): Promise<Bundle> {
  const file = path.join(outputFolder, name, 'index.js');
  await writeFile(path.join(outputFolder, name, 'package.json'), '{"type":"commonjs"}\n');
  for (const folder of listAssetFolders(entry, Object.keys(inputs)))
    await cp(path.join(projectRoot, folder), path.join(outputFolder, name, 'assets'), { recursive: true });
  const webFolder = path.join(projectRoot, path.dirname(entry), 'web');
  if (existsSync(webFolder)) await buildWeb(webFolder, path.join(outputFolder, name, 'web'));
  const content = await readFile(file);
  const packages = Object.entries(inputs)
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .flatMap(([input]) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(input)?.[1] ?? []);
  return {
    name,
    file,
    bytes: content.length,
    gzippedBytes: gzipSync(content).length,
    packages: [...new Set(packages)].sort(),
  };
}

/** The documentation pages of several functions share its code and its assets. */
const docsKit = 'functions/api/docs-kit';

/**
 * Code reads assets relative to itself, so it finds them both in the sources and next to the
 * bundle.
 */
const listAssetFolders = (entry: string, sources: readonly string[]): string[] =>
  [path.dirname(entry), ...(sources.some((source) => source.startsWith(`${docsKit}/`)) ? [docsKit] : [])]
    .map((folder) => path.join(folder, 'assets'))
    .filter((folder) => existsSync(path.join(projectRoot, folder)));

export function renderSizeTable(bundles: readonly Bundle[]): string {
  const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`.padStart(10);
  const width = Math.max(...bundles.map(({ name }) => name.length), 'function'.length);
  const header = `${'function'.padEnd(width)}${'minified'.padStart(10)}${'gzipped'.padStart(10)}`;
  const rows = bundles
    .toSorted((a, b) => b.bytes - a.bytes)
    .map(({ name, bytes, gzippedBytes }) => name.padEnd(width) + kilobytes(bytes) + kilobytes(gzippedBytes));
  return [header, ...rows].join('\n');
}

if (import.meta.main) {
  const { functions } = await import('../functions.ts');
  console.log(renderSizeTable(await bundleFunctions(functions)));
}
