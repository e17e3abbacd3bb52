//! The subset of Protocol Buffers that ONNX needs: messages out and in.

/// A message in the making.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Message {
    bytes: Vec<u8>,
}

impl Message {
    /// Adds a number.
    pub(crate) fn int(mut self, field: u32, number: u64) -> Self {
        self.key(field, 0);
        self.varint(number);
        self
    }

    /// Adds a float.
    pub(crate) fn float(mut self, field: u32, number: f32) -> Self {
        self.key(field, 5);
        self.bytes.extend(number.to_le_bytes());
        self
    }

    /// Adds a string or bytes.
    pub(crate) fn bytes(mut self, field: u32, bytes: impl AsRef<[u8]>) -> Self {
        self.key(field, 2);
        self.varint(bytes.as_ref().len() as u64);
        self.bytes.extend(bytes.as_ref());
        self
    }

    /// Adds a message.
    pub(crate) fn message(self, field: u32, message: &Self) -> Self {
        self.bytes(field, &message.bytes)
    }

    /// Adds messages of one field.
    pub(crate) fn messages(self, field: u32, messages: impl IntoIterator<Item = Self>) -> Self {
        messages.into_iter().fold(self, |whole, message| whole.message(field, &message))
    }

    /// Adds numbers, packed.
    pub(crate) fn ints(self, field: u32, numbers: impl IntoIterator<Item = u64>) -> Self {
        let mut packed = Self::default();
        numbers.into_iter().for_each(|number| packed.varint(number));
        self.message(field, &packed)
    }

    /// The bytes.
    pub(crate) fn finish(self) -> Vec<u8> {
        self.bytes
    }

    fn key(&mut self, field: u32, wire: u32) {
        self.varint(u64::from(field << 3 | wire));
    }

    fn varint(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.bytes.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.bytes.push(number as u8);
    }
}
