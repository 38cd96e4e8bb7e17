import { Command } from 'commander'
import { workInProcess } from '../../evaluation/pool/work-in-process.ts'

/** `backlot eval-worker`: a worker process of `backlot eval`, which starts it. */
export const evalWorkerCommand = (): Command =>
  new Command('eval-worker')
    .description('Play episodes for backlot eval, which starts this itself.')
    .option('--audit', 'audit tasks instead')
    .action(async ({ audit }: { readonly audit?: boolean }) => {
      if (!audit) return workInProcess()
      // Loaded on demand, because an audit needs the servers.
      const { auditInProcess } = await import('../../evaluation/audit/audit.ts')
      auditInProcess()
    })
