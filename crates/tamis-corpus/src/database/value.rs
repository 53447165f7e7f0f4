//! Parameters of statements and values of rows.

use crate::error::Error;

/// A parameter of a statement.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Param<'a> {
    /// NULL.
    Null,
    /// BIGINT, INTEGER or BOOLEAN.
    Integer(i64),
    /// DOUBLE PRECISION.
    Real(f64),
    /// TEXT.
    Text(&'a str),
    /// BYTEA.
    Blob(&'a [u8]),
}

macro_rules! param_from {
    ($($from:ty => |$value:ident| $param:expr;)+) => {
        $(impl<'a> From<$from> for Param<'a> {
            fn from($value: $from) -> Param<'a> {
                $param
            }
        })+
    };
}

param_from! {
    i64 => |value| Param::Integer(value);
    i32 => |value| Param::Integer(value.into());
    u32 => |value| Param::Integer(value.into());
    u16 => |value| Param::Integer(value.into());
    bool => |value| Param::Integer(value.into());
    f64 => |value| Param::Real(value);
    f32 => |value| Param::Real(value.into());
    &'a str => |value| Param::Text(value);
    &'a String => |value| Param::Text(value);
    &'a [u8] => |value| Param::Blob(value);
    &'a Vec<u8> => |value| Param::Blob(value);
    &'a Option<String> => |value| value.as_deref().into();
}

impl<'a, T: Into<Param<'a>>> From<Option<T>> for Param<'a> {
    fn from(value: Option<T>) -> Param<'a> {
        value.map_or(Param::Null, Into::into)
    }
}

/// A list of parameters of different types.
#[macro_export]
macro_rules! params {
    ($($value:expr),* $(,)?) => { &[$($crate::database::Param::from($value)),*] };
}

/// A value of a row.
#[derive(Clone, PartialEq, Debug)]
pub enum Value {
    /// NULL.
    Null,
    /// Any integer type or BOOLEAN.
    Integer(i64),
    /// Any floating-point type.
    Real(f64),
    /// TEXT.
    Text(String),
    /// BYTEA.
    Blob(Vec<u8>),
}

/// A row of a query.
#[derive(Clone, PartialEq, Debug)]
pub struct Row(pub(super) Vec<Value>);

impl Row {
    /// The value of a column, counted from 0.
    pub fn get<T: FromValue>(&self, column: usize) -> Result<T, Error> {
        self.0
            .get(column)
            .and_then(|value| T::from_value(value.clone()))
            .ok_or(Error::Schema("a column is missing or has another type"))
    }

    /// Moves the value of a column out of the row, leaving NULL.
    pub fn take<T: FromValue>(&mut self, column: usize) -> Result<T, Error> {
        let value = self.0.get_mut(column).map(|value| std::mem::replace(value, Value::Null));
        value.and_then(T::from_value).ok_or(Error::Schema("a column is missing or has another type"))
    }

    /// Whether the row has no columns.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The number of columns.
    pub fn len(&self) -> usize {
        self.0.len()
    }
}

/// A type that a [`Value`] converts to.
pub trait FromValue: Sized {
    /// `None` if the value has another type.
    fn from_value(value: Value) -> Option<Self>;
}

macro_rules! from_value {
    ($($type:ty => $pattern:pat => $result:expr;)+) => {
        $(impl FromValue for $type {
            fn from_value(value: Value) -> Option<$type> {
                match value {
                    $pattern => $result,
                    _ => None,
                }
            }
        })+
    };
}

from_value! {
    i64 => Value::Integer(number) => Some(number);
    u32 => Value::Integer(number) => number.try_into().ok();
    u16 => Value::Integer(number) => number.try_into().ok();
    bool => Value::Integer(number) => Some(number != 0);
    String => Value::Text(text) => Some(text);
    Vec<u8> => Value::Blob(bytes) => Some(bytes);
}

impl FromValue for f64 {
    fn from_value(value: Value) -> Option<f64> {
        match value {
            Value::Real(number) => Some(number),
            // SQLite returns whole numbers as integers if a column has no affinity.
            Value::Integer(number) => Some(number as f64),
            _ => None,
        }
    }
}

impl<T: FromValue> FromValue for Option<T> {
    fn from_value(value: Value) -> Option<Option<T>> {
        match value {
            Value::Null => Some(None),
            value => T::from_value(value).map(Some),
        }
    }
}
