// Copying: an id with its button, and code in the languages that the documentation has.
import { useSignal } from '@preact/signals';
import { toDisplayText } from '../../../../../shared/platform/display-line.ts';
import { words } from '../words/en.ts';
import { showToast } from './toast.tsx';

export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    showToast(words.copy.failed);
    return false;
  }
}

const shownMilliseconds = 1_500;

export function CopyButton({ text, label = words.copy.button }: { text: string; label?: string }) {
  const isCopied = useSignal(false);
  const copy = async (): Promise<void> => {
    isCopied.value = await copyText(text);
    setTimeout(() => {
      isCopied.value = false;
    }, shownMilliseconds);
  };
  return (
    <button type="button" class="copy-button" onClick={() => void copy()} aria-label={label}>
      <span aria-live="polite">{isCopied.value ? words.copy.done : words.copy.button}</span>
    </button>
  );
}

/** An id is long and rarely read: its beginning and end, and a button for the whole. */
export function Id({ value }: { value: string }) {
  const isLong = value.length > 16;
  return (
    <span class="id">
      <code title={value}>{isLong ? `${value.slice(0, 8)}…${value.slice(-4)}` : value}</code>
      <CopyButton text={value} label={words.copy.id(value)} />
    </span>
  );
}

export interface RequestSample {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With its query, below the origin. */
  path: string;
  body?: object;
}

const languages = ['curl', 'typescript', 'python'] as const;
type Language = (typeof languages)[number];

export function renderSample({ method, path, body }: RequestSample, language: Language): string {
  const url = location.origin + path;
  const json = body && JSON.stringify(body);
  if (language === 'curl') {
    const verb = method === 'GET' ? '' : ` -X ${method}`;
    const data =
      json === undefined ? '' : ` \\\n  -H 'Content-Type: application/json' -d '${json.replaceAll("'", "'\\''")}'`;
    return `curl -s${verb} -H "Authorization: Bearer $DAYBOOK_KEY" '${url}'${data}`;
  }
  if (language === 'typescript') {
    const authorization = 'Authorization: `Bearer $'.concat('{process.env.DAYBOOK_KEY}`');
    const init = [
      ...(method === 'GET' ? [] : [`  method: '${method}',`]),
      json === undefined
        ? `  headers: { ${authorization} },`
        : `  headers: { ${authorization}, 'Content-Type': 'application/json' },`,
      ...(json === undefined ? [] : [`  body: JSON.stringify(${json}),`]),
    ];
    return `const response = await fetch('${url}', {\n${init.join('\n')}\n});\nconsole.log(await response.json());`;
  }
  const argument = json === undefined ? '' : `,\n    json=${toPython(body)}`;
  return [
    'import os, requests',
    '',
    `response = requests.${method.toLowerCase()}(`,
    `    "${url}",`,
    `    headers={"Authorization": f"Bearer {os.environ['DAYBOOK_KEY']}"}${argument},`,
    ')',
    'print(response.json())',
  ].join('\n');
}

const toPython = (value: unknown): string => {
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (Array.isArray(value)) return `[${value.map(toPython).join(', ')}]`;
  if (typeof value === 'object')
    return `{${Object.entries(value)
      .map(([name, each]) => `${JSON.stringify(name)}: ${toPython(each)}`)
      .join(', ')}}`;
  return JSON.stringify(value);
};

/** The request behind what the page shows. It names the key's variable: the browser has no key. */
export function SampleBlock({ sample }: { sample: RequestSample }) {
  const language = useSignal<Language>('curl');
  const text = renderSample(sample, language.value);
  return (
    <figure class="code-block">
      <figcaption>
        <fieldset class="choices">
          <legend class="visually-hidden">{words.code.label}</legend>
          {languages.map((each) => (
            <button
              key={each}
              type="button"
              aria-pressed={language.value === each}
              onClick={() => {
                language.value = each;
              }}
            >
              {words.code[each]}
            </button>
          ))}
        </fieldset>
        <CopyButton text={text} />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it */}
      <pre tabIndex={0}>
        <code>{text}</code>
      </pre>
    </figure>
  );
}

export function TextBlock({ text }: { text: string }) {
  return (
    <figure class="code-block">
      <figcaption>
        <span />
        <CopyButton text={text} />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it */}
      <pre tabIndex={0}>
        <code>{toDisplayText(text)}</code>
      </pre>
    </figure>
  );
}
