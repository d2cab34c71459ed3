/** What a model server got wrong, and what the session does about it. */
export const serverFaults = {
  textCalls:
    "The model server couldn't read this model's answer twice in a row. For the rest of this session, calls are read from its text.",
};
