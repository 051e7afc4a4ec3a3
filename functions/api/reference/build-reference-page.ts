// Builds the pages of this folder from its assets and those that all documentation pages share.
import { createAssetReader, createPageBuilder } from '../docs-kit/docs-page.ts';

export const readReferenceAsset = createAssetReader(import.meta.url);
export const buildReferencePage = createPageBuilder(readReferenceAsset);
