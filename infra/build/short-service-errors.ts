// Writes the error classes of an AWS client in few bytes. A client has a class for each error of its
// service, all of one shape: 36 in a row take 12 kB of every function that decrypts a token.
import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';

const head = /^import \{ (?<base>\w+) as __BaseException \} from "(?<from>\.\/\w+)";\n/;
const errorClass =
  /export class (?<name>\w+) extends __BaseException \{\n {4}static shapeId = "(?<namespace>[\w.]+)#\k<name>";\n {4}name = "\k<name>";\n {4}\$fault = "(?<fault>client|server)";\n(?<retryable> {4}\$retryable = \{\};\n)?(?<declared>(?: {4}\w+;\n)*) {4}constructor\(opts\) \{\n {8}super\(\{\n {12}name: "\k<name>",\n {12}\$fault: "\k<fault>",\n {12}\.\.\.opts,\n {8}\}\);\n {8}Object\.setPrototypeOf\(this, \k<name>\.prototype\);\n(?<assigned>(?: {8}this\.(?<field>\w+) = opts\.\k<field>;\n)*) {4}\}\n\}\n/y;

export const shortServiceErrors: Plugin = {
  name: 'short-service-errors',
  setup(build) {
    const filter = /[\\/]@aws-sdk[\\/]client-[^\\/]+[\\/]dist-es[\\/]models[\\/]errors\.js$/;
    build.onLoad({ filter }, async ({ path }) => ({ contents: shortenErrors(await readFile(path, 'utf8'), path) }));
  },
};

/** Throws if the source has anything but error classes of the known shape. */
export function shortenErrors(source: string, path: string): string {
  const unknown = (at: number): Error =>
    new Error(`${path} has other code than the known error classes at "${source.slice(at, at + 80)}"`);
  const { base, from } = head.exec(source)?.groups ?? {};
  if (base === undefined) throw unknown(0);
  const lines: string[] = [];
  let at = source.indexOf('\n') + 1;
  while (at < source.length) {
    errorClass.lastIndex = at;
    const found = errorClass.exec(source);
    const { name, namespace, fault, retryable, declared = '', assigned = '' } = found?.groups ?? {};
    const fields = declared.match(/\w+/g) ?? [];
    if (!found || fields.join() !== [...assigned.matchAll(/this\.(\w+)/g)].map(([, field]) => field).join())
      throw unknown(at);
    const more = [fields, ...(retryable === undefined ? [] : [{}])].map((each) => JSON.stringify(each));
    lines.push(
      `export const ${name} = /* @__PURE__ */ defineError("${namespace}", "${name}", "${fault}", ${more.join(', ')});`,
    );
    at = errorClass.lastIndex;
  }
  return `import { ${base} as Base } from "${from}";
const defineError = (namespace, name, fault, fields, retryable) => {
  const ServiceError = class extends Base {
    static shapeId = namespace + "#" + name;
    constructor(opts) {
      super({ name, $fault: fault, ...opts });
      this.name = name;
      this.$fault = fault;
      if (retryable) this.$retryable = retryable;
      Object.setPrototypeOf(this, ServiceError.prototype);
      for (const field of fields) this[field] = opts[field];
    }
  };
  return ServiceError;
};
${lines.join('\n')}
`;
}
