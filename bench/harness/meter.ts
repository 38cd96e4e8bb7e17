import type { CpuUsage } from './load.ts'

/** Preloaded into a measured program. Reports the processor time of the process on request. */
process.on('message', (asked) => {
  if (asked !== 'usage') return
  const { user, system } = process.cpuUsage()
  process.send?.({ cpu: user + system } satisfies CpuUsage)
})
process.on('disconnect', () => process.exit(0))
