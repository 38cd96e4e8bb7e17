import { anthropicComputer } from './anthropic/dialect.ts'
import type { ComputerDialect } from './dialect.ts'
import { geminiComputer } from './gemini/dialect.ts'
import { unknownName } from './input.ts'
import { openAiComputer } from './openai/dialect.ts'
import type { ComputerDefinitions, ComputerOutputs, ComputerVendor } from './outputs.ts'

/** The computer tools of model vendors. A vendor is a folder and its line here. */
export const COMPUTER_DIALECTS: {
  readonly [Vendor in ComputerVendor]: ComputerDialect<ComputerOutputs[Vendor], ComputerDefinitions[Vendor]>
} = {
  anthropic: anthropicComputer,
  openai: openAiComputer,
  gemini: geminiComputer,
}

/** The names of all vendors. */
export const COMPUTER_VENDORS = Object.keys(COMPUTER_DIALECTS) as readonly ComputerVendor[]

/** Throws `BadRequest` for an unknown vendor. */
export function assertVendor(name: string): asserts name is ComputerVendor {
  if (!(COMPUTER_VENDORS as readonly string[]).includes(name)) throw unknownName('vendor', name, COMPUTER_VENDORS)
}
