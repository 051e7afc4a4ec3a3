// The languages that people are written to in, and which of them a browser asks for.
import * as z from 'zod';

/** The first one is for whoever understands none of them, or says nothing. */
export const languages = ['en', 'de', 'fr', 'es'] as const;

export const Language = z.enum(languages).meta({
  id: 'Language',
  description: 'The language in which a person is written to.',
  examples: ['en'],
});
export type Language = z.infer<typeof Language>;

/** Longer headers are no browser's. */
const maxRanges = 20;
const rangePattern = /^\s*([a-z]{1,8}|\*)(?:-[a-z0-9]{1,8})*\s*(?:;\s*q\s*=\s*(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*)?$/i;

/** Of `Accept-Language`, the one of ours with the largest weight; the first named among equals. */
export function negotiateLanguage(header: string | null | undefined): Language {
  let best: { language: Language; weight: number } | undefined;
  for (const text of (header ?? '').split(',', maxRanges)) {
    const [, name = '', weight = '1'] = rangePattern.exec(text) ?? [];
    const language = languages.find((known) => known === name.toLowerCase());
    if (language && Number(weight) > (best?.weight ?? 0)) best = { language, weight: Number(weight) };
  }
  return best?.language ?? languages[0];
}
