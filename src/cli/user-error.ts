/** An error that the user can fix. The command line prints its message without a stack. */
export class UserError extends Error {}
