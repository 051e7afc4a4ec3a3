// Whether a process is running, by its id.

export function isProcessRunning(pid: number): boolean {
  if (pid === 0) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // EPERM: the process belongs to another user. It is running but cannot be signaled from here.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
