/** A call of the command line, as the client sends it. */
export interface CommandRequest {
  /** The words after the name of the program. */
  readonly argv: readonly string[]
  /** The version of the contract that the caller asked for. */
  readonly version: string
  /** The variables of the caller that the contract reads. */
  readonly environment: Readonly<Record<string, string>>
  /** The folder on the caller's machine for files that it gives no path. */
  readonly home: string
}

/** A file that the client writes. */
export interface CommandFile {
  readonly path: string
  /** In base64. */
  readonly data: string
}

/** What a process of the command line leaves behind. */
export interface CommandResult {
  readonly stdout: string
  readonly stderr: string
  readonly exit: number
  readonly files?: readonly CommandFile[]
}

/** Why a command did not reach a desktop. */
export interface ClientProblem {
  /** `usage`: the client was called wrongly; `connection`: no server answered; `refused`: the server refused the caller. */
  readonly kind: 'usage' | 'connection' | 'refused'
  readonly message: string
}

/** What a program prints, and how it exits: how the commands of one tool look. */
export interface CommandContract {
  readonly name: string
  /** The versions that `--contract NAME@VERSION` may name, the default first. Empty for a contract without versions. */
  readonly versions: readonly string[]
  /** The variables of the caller that commands read. */
  readonly environment: readonly string[]
  /** The name of the program that a shim has. Without one there is no shim. */
  readonly program?: string
  /** What the client prints when it reaches no desktop. It is part of the client, so that it loads nothing. */
  readonly fail: (problem: ClientProblem, request: Pick<CommandRequest, 'argv' | 'version'>) => CommandResult
}

/** The surroundings of the client. */
export interface ClientHost {
  readonly environment: Readonly<Record<string, string | undefined>>
  /** A folder of the package. The skills are in it, or in one above. */
  readonly ownFolder: string
  /** The command that starts the client again, for shims. */
  readonly program: readonly string[]
  readonly workingFolder: string
}
