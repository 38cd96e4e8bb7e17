import type { Command } from 'commander'

/** Loaders of the commands, by name. Only the requested command is loaded, because loading all takes most of a second. */
export const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  serve: async () => (await import('./serve.ts')).serveCommand(),
  agent: async () => (await import('./agent.ts')).agentCommand(),
  demo: async () => (await import('./demo.ts')).demoCommand(),
  doctor: async () => (await import('./doctor.ts')).doctorCommand(),
  new: async () => (await import('./new.ts')).newCommand(),
  validate: async () => (await import('./validate.ts')).validateCommand(),
  explain: async () => (await import('./explain.ts')).explainCommand(),
  explore: async () => (await import('./explore.ts')).exploreCommand(),
  lint: async () => (await import('./lint.ts')).lintCommand(),
  render: async () => (await import('./render.ts')).renderCommand(),
  dataset: async () => (await import('./dataset.ts')).datasetCommand(),
  test: async () => (await import('./test.ts')).testCommand(),
  desk: async () => (await import('./desk.ts')).deskCommand(),
  eval: async () => (await import('./eval.ts')).evalCommand(),
  bench: async () => (await import('./bench.ts')).benchCommand(),
  worker: async () => (await import('./worker.ts')).workerCommand(),
  'show-trace': async () => (await import('./show-trace.ts')).showTraceCommand(),
  replay: async () => (await import('./replay.ts')).replayCommand(),
  'show-report': async () => (await import('./show-report.ts')).showReportCommand(),
  shrink: async () => (await import('./shrink.ts')).shrinkCommand(),
  export: async () => (await import('./export.ts')).exportCommand(),
  certify: async () => (await import('./certify.ts')).certifyCommand(),
  'certify-client': async () => (await import('./certify-client.ts')).certifyClientCommand(),
  sabotage: async () => (await import('./sabotage.ts')).sabotageCommand(),
}

/** Commands that this program runs in processes of its own. They are neither listed nor documented for people. */
export const INTERNAL_COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  'dataset-worker': async () => (await import('./dataset-worker.ts')).datasetWorkerCommand(),
  'eval-worker': async () => (await import('./eval-worker.ts')).evalWorkerCommand(),
}
