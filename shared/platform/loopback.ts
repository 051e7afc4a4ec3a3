// The names of this machine, as `URL` writes them.
const loopbackHosts: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

export const isLoopbackHost = (hostname: string): boolean => loopbackHosts.has(hostname);
