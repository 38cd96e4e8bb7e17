/** The environment variables of a process or a desktop session, by name. */
export type EnvironmentVariables = Readonly<Record<string, string | undefined>>
