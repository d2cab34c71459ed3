/** Id of the connection whose answers are written in advance; a server has it only while it shows the tour. */
export const tourConnectionId = "tour";
