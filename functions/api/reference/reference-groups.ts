// The groups of the reference: the documented operations by tag, read from the OpenAPI document.
// Pages for people and the operations of providers are not in it.
import * as z from 'zod';
import type { ApiForm } from '../../../shared/system/caller.ts';
import { buildApiDocument } from './api-documents.ts';

const Parameter = z.object({
  name: z.string(),
  in: z.string(),
  required: z.boolean().optional(),
  description: z.string().optional(),
});

const Operation = z.object({
  operationId: z.string(),
  summary: z.string(),
  description: z.string(),
  tags: z.tuple([z.string()]),
  parameters: z.array(Parameter).default([]),
  requestBody: z.unknown().optional(),
  responses: z.record(z.string(), z.unknown()),
});

const Document = z.object({
  info: z.object({ description: z.string() }),
  tags: z.array(z.object({ name: z.string(), description: z.string() })),
  paths: z.record(z.string(), z.record(z.string(), Operation)),
  components: z.object({
    schemas: z.record(z.string(), z.unknown()),
    securitySchemes: z.record(z.string(), z.object({ description: z.string() })),
  }),
});
export type ReferenceDocument = z.infer<typeof Document>;

export interface ReferenceOperation extends z.infer<typeof Operation> {
  method: string;
  path: string;
}

export interface ReferenceGroup {
  slug: string;
  name: string;
  description: string;
  operations: ReferenceOperation[];
}

const documents = new Map<ApiForm, ReferenceDocument>();

/** The pages of all origins are the same, so the address of the document does not matter here. */
export function readDocument(form: ApiForm): ReferenceDocument {
  const document = documents.get(form) ?? Document.parse(buildApiDocument(form, '/'));
  documents.set(form, document);
  return document;
}

export function listGroups(form: ApiForm): ReferenceGroup[] {
  const { tags, paths } = readDocument(form);
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ ...operation, method, path })),
  );
  return tags.map(({ name, description }) => ({
    slug: name.toLowerCase().replaceAll(' ', '-'),
    name,
    description,
    operations: operations.filter(({ tags: [tag] }) => tag === name),
  }));
}

/** Relative to `/`. */
export const groupAddress = (form: ApiForm, slug: string): string =>
  form === 1 ? `docs/form1/${slug}` : `docs/reference/${slug}`;
