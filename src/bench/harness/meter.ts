import type { CpuUsage } from './load.ts'

/** Read before a program that is measured: it tells how much processor time it took, whenever it is asked. */
process.on('message', (asked) => {
  if (asked !== 'usage') return
  const { user, system } = process.cpuUsage()
  process.send?.({ cpu: user + system } satisfies CpuUsage)
})
process.on('disconnect', () => process.exit(0))
