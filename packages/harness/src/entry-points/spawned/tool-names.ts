/** The tool that gives a running sub-agent a message. Its calls are read again after a crash. */
export const STEER_TOOL = 'steer_agent'
