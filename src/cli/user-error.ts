/** What went wrong for a reason the person at the terminal can change; told as one message, without a stack. */
export class UserError extends Error {}
