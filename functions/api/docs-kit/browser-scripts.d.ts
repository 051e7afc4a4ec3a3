/** The text of a script that bundles the module for browsers (`infra/build/browser-script.ts`). */
declare module '*?browser' {
  export const script: string;
}
