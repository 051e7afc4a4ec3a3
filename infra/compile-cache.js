// Caches compiled code in node_modules, for this process and its children: the next command starts
// in about two thirds of the time.
import module from 'node:module';
import { fileURLToPath } from 'node:url';

process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url));
// A Node version that lacks the compile cache is rejected by the module that imports this one.
module.enableCompileCache?.(process.env.NODE_COMPILE_CACHE);
