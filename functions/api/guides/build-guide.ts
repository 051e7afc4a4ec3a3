// Builds the pages of this folder from its assets and those that all documentation pages share.
import { createAssetReader, createPageBuilder } from '../docs-kit/docs-page.ts';

export const readGuideAsset = createAssetReader(import.meta.url);
export const buildGuide = createPageBuilder(readGuideAsset);
