// The languages in which users are addressed, and the choice by a browser's Accept-Language header.
import * as z from 'zod';

/** The first one is the default, if the user accepts none of them or states no preference. */
export const languages = ['en', 'de', 'fr', 'es'] as const;

export const Language = z.enum(languages).meta({
  id: 'Language',
  description: 'The language for messages and pages that the user receives.',
  examples: ['en'],
});
export type Language = z.infer<typeof Language>;

/** No browser sends a longer header. */
const maxRanges = 20;
const rangePattern = /^\s*([a-z]{1,8}|\*)(?:-[a-z0-9]{1,8})*\s*(?:;\s*q\s*=\s*(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*)?$/i;

/**
 * The supported language with the highest weight in `Accept-Language`; among equals, the first one
 * named.
 */
export function negotiateLanguage(header: string | null | undefined): Language {
  let best: { language: Language; weight: number } | undefined;
  for (const text of (header ?? '').split(',', maxRanges)) {
    const [, name = '', weight = '1'] = rangePattern.exec(text) ?? [];
    const language = languages.find((known) => known === name.toLowerCase());
    if (language && Number(weight) > (best?.weight ?? 0)) best = { language, weight: Number(weight) };
  }
  return best?.language ?? languages[0];
}
