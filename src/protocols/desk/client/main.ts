import type { ClientHost } from '../contract.ts'
import { runClient } from './client.ts'

/** Runs the client as this process: prints, and sets the exit code. */
export async function desk(argv: readonly string[], place: Pick<ClientHost, 'ownFolder' | 'program'>): Promise<void> {
  const result = await runClient(argv, { ...place, environment: process.env, workingFolder: process.cwd() })
  process.exitCode = result.exit
  if (result.stderr !== '') process.stderr.write(result.stderr)
  if (result.stdout !== '') process.stdout.write(result.stdout)
}
