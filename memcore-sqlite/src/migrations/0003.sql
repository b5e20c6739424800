-- The turns of a conversation in their order, for what stands around one of them.
CREATE INDEX episodes_by_session ON records (user, json_extract(provenance, '$.session'), id) WHERE kind = 'episode';
