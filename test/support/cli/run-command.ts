import type { Command } from 'commander'
import { vi } from 'vitest'

/** What a command printed, and its exit code. */
export interface CommandOutput {
  readonly stdout: string
  readonly stderr: string
  readonly code: number | string
}

/** Runs a command in this process. */
export async function runCommand(command: Command, args: readonly string[]): Promise<CommandOutput> {
  const printed = { stdout: '', stderr: '' }
  const spies = (['stdout', 'stderr'] as const).map((stream) =>
    vi.spyOn(process[stream], 'write').mockImplementation((text) => {
      printed[stream] += String(text)
      return true
    }),
  )
  const { exitCode } = process
  try {
    await command.parseAsync(args, { from: 'user' })
    return { ...printed, code: process.exitCode ?? 0 }
  } finally {
    process.exitCode = exitCode
    for (const spy of spies) spy.mockRestore()
  }
}
